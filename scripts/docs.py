"""`make docs`: rewrites the generated parts of the documents."""

from __future__ import annotations

from pathlib import Path

from scripts import architecture, json_reference, reference
from scripts.rooms import ROOT


def main() -> None:
    _write(architecture.FILE, architecture.updated(architecture.FILE.read_text(encoding="utf-8")))
    _write(reference.FILE, reference.reference())
    _write(json_reference.FILE, json_reference.reference())
    for name, text in json_reference.schemas():
        _write(json_reference.FOLDER / name, text)


def _write(file: Path, text: str) -> None:
    name = file.relative_to(ROOT)
    if file.exists() and file.read_text(encoding="utf-8") == text:
        print(f"{name}: up to date")
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    print(f"{name}: rewritten")


if __name__ == "__main__":
    main()

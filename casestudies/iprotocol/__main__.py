"""Extracts a model of the i-protocol's sender and prints its sizes: `python -m casestudies.iprotocol`."""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TextIO, final

from casestudies.catalogue import Package, chosen, read_catalogue
from casestudies.configuring import configure
from casestudies.fetching import fetch
from stateglass.model import Model
from stateglass.operations.reducing import reduce_model
from stateglass.options import ExtractOptions
from stateglass.pipeline import extract
from stateglass.source import InputError, render_diagnostics

PACKAGE: Final = "uucp"
SUBJECT: Final = "proti.c"
HEADER: Final = "prot.h"
HERE: Final = Path(__file__).parent
OURS: Final = ("harness.c", "iprotocol.am", "iprotocol.lm")
# A buffer of this size holds what the harness sends; the package's own would be the larger part of every state.
BUFFER: Final = 16
_BUFFER_SIZE: Final = re.compile(r"(?m)^#define CRECBUFLEN .*$")
# States and transitions in table 3 of the paper, for version 1.04 and a harness of its authors.
PAPER: Final = {
    "on the fly": (2883, 2883),
    "peephole": (61, 108),
    "strong": (16, 63),
    "weak": (14, 63),
}


@final
@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table: what was done, and the sizes that came of it."""

    done: str
    states: int
    transitions: int


def prepare(source: Path, package: Package, folder: Path) -> ExtractOptions:
    """Put the file, a smaller buffer and our own files into a folder; an `OSError` if they are not there."""
    for name in OURS:
        shutil.copy(HERE / name, folder)
    shutil.copy(source / SUBJECT, folder)
    text, changed = _BUFFER_SIZE.subn(
        f"#define CRECBUFLEN {BUFFER}", (source / HEADER).read_text(encoding="utf-8", errors="replace")
    )
    if changed != 1:
        raise OSError(0, f"{HEADER} does not say how large the buffer is")
    (folder / HEADER).write_text(text, encoding="utf-8")
    return ExtractOptions(
        files=(str(folder / "harness.c"),),
        functions=("send_for_ever",),
        mode="run",
        flags=configure(package, source, folder / "generated"),
        abstraction=str(folder / "iprotocol.am"),
        labels=str(folder / "iprotocol.lm"),
        ub="ignore",
        compress=True,
    )


def rows(model: Model) -> list[Row]:
    """The sizes of a model as it was found and after reductions."""
    found = [Row("on the fly", model.states, model.transitions)]
    for by in ("peephole", "strong", "weak"):
        small = reduce_model(model, by).model
        found.append(Row(by, small.states, small.transitions))
    return found


def table(found: Sequence[Row]) -> str:
    """The sizes beside those of the paper."""
    lines = [f"{'':12}{'states':>8}{'transitions':>13}   the paper's"]
    for row in found:
        states, transitions = PAPER[row.done]
        lines.append(f"{row.done:12}{row.states:>8,}{row.transitions:>13,}   {states:,}, {transitions:,}")
    return "\n".join(lines)


def run(sources: Path, scratch: Path, out: TextIO) -> int:
    """Obtain the package, extract and report; what cannot be obtained is skipped with a word."""
    [fetched] = fetch([PACKAGE], sources)
    if fetched.folder is None:
        print(f"skipped: {PACKAGE} cannot be obtained: {fetched.reason}", file=out)
        return 0
    [package] = chosen(read_catalogue(), (PACKAGE,))
    try:
        options = prepare(fetched.folder, package, scratch)
    except OSError as error:
        print(f"skipped: {fetched.folder.name} is another version: {error.strerror}", file=out)
        return 0
    begin = time.process_time()
    try:
        model = extract(options).exploration.model
    except InputError as error:
        print(render_diagnostics(error.diagnostics), file=out)
        return 1
    took = time.process_time() - begin
    what = f"{fetched.folder.name}: {SUBJECT} with a window of 2, packets of 18 bytes"
    print(f"{what}: {took:.0f} s of processor time", file=out)
    print(table(rows(model)), file=out)
    for reason in model.origin.partial:
        print(f"partial: {reason}", file=out)
    return 3 if model.partial else 0


def main(arguments: Sequence[str] | None = None, out: TextIO = sys.stdout) -> int:
    parser = argparse.ArgumentParser(prog="python -m casestudies.iprotocol", description=__doc__)
    parser.add_argument("--sources", type=Path, help="keep the package there and use it again")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        return run(options.sources or scratch / "sources", scratch, out)


if __name__ == "__main__":
    sys.exit(main())

"""The table of rooms in ARCHITECTURE.md, made from the rooms' own sentences and the import contract."""

from __future__ import annotations

from scripts.rooms import ALLOWED, FACES, NOUNS, PACKAGE, ROOT, TOP, rooms, sentence

FILE = ROOT / "ARCHITECTURE.md"
BEGIN = "<!-- rooms: written by `make docs` -->\n"
END = "<!-- end of rooms -->\n"


def table() -> str:
    lines = ["| room in `src/stateglass/` | sentence | may import |", "|---|---|---|"]
    present = set(rooms())
    for room, allowed in ALLOWED.items():
        if room in present and not room.startswith("__"):
            name = f"{room}/" if (PACKAGE / room).is_dir() else f"{room}.py"
            lines.append(f"| `{name}` | {sentence(room)} | {_words(room, allowed, present)} |")
    return "\n".join(lines) + "\n"


def updated(text: str) -> str:
    """ARCHITECTURE.md with the table as it should be."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"{FILE.name} must contain the lines {BEGIN.strip()} and {END.strip()}")
    return before + begin + "\n" + table() + "\n" + end + after


def _words(room: str, allowed: frozenset[str], present: set[str]) -> str:
    if room in TOP:
        return "all but faces"
    if not NOUNS <= allowed:
        return ", ".join(sorted(allowed & present)) or "nothing"
    others = sorted((allowed - NOUNS) & present, key=list(ALLOWED).index)
    assert not FACES & set(others)
    return ", ".join(["nouns", *others])

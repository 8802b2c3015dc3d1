"""The import contract: which room of the package may import which, and where each foreign tool's door is."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import final

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "stateglass"

NOUNS = frozenset({"source", "program", "model", "logic", "evidence", "design", "reports", "work"})
FACES = frozenset({"cli", "studio"})
# Modules directly in the package that stand above all rooms.
TOP = frozenset({"pipeline", "operations", "options"})

# Work on bare numbers, which knows nothing of programs and models; in full, as for the nouns.
_TOOL_IMPORTS: dict[str, frozenset[str]] = {
    "compiled": frozenset({"work"}),
    "graphs": frozenset({"compiled"}),
}

# What a noun may import, in full; in the order in which a reader should meet the rooms.
_NOUN_IMPORTS: dict[str, frozenset[str]] = {
    "source": frozenset(),
    "program": frozenset({"source", "graphs"}),
    "model": frozenset({"source"}),
    "logic": frozenset({"model", "source"}),
    "evidence": frozenset({"model", "source"}),
    "design": frozenset({"logic", "source"}),
    "reports": frozenset(),
    "work": frozenset(),
}

# What any other room may import besides the nouns. Where a room belongs was decided once, for the whole design:
# a room may be listed before it is built.
_IMPORTS: dict[str, frozenset[str]] = {
    "frontend": frozenset(),
    "system": frozenset(),
    "smt": frozenset(),
    "values": frozenset({"smt"}),
    "explore": frozenset({"graphs", "system", "values", "smt"}),
    "reduce": frozenset({"compiled", "graphs"}),
    "relate": frozenset({"graphs", "reduce"}),
    "check": frozenset({"system", "values", "explore", "compiled", "graphs", "reduce", "relate", "smt"}),
    "reflexion": frozenset({"system", "values", "explore", "smt"}),
    "scenarios": frozenset({"check", "relate", "graphs", "compiled"}),
    "evolution": frozenset({"graphs", "reduce", "relate", "scenarios", "check"}),
    "replay": frozenset({"system", "values", "graphs"}),
    "unbounded": frozenset({"system", "values", "explore", "compiled", "graphs", "reduce", "relate", "check", "smt"}),
    "answers": frozenset({"system", "values", "explore", "check", "scenarios", "replay", "unbounded"}),
    # A design becomes text that is read as threads are, and answers on these are told in its words.
    "assemblies": frozenset({"system", "graphs", "check", "relate", "reflexion", "formats"}),
    # A process is part of what is run; its file is also read as a model.
    "formats": frozenset({"compiled", "system"}),
    "views": frozenset({"formats", "graphs"}),
    "cli": frozenset({"pipeline", "operations", "options", "scenarios", "answers", "views", "formats", "compiled"}),
    "studio": frozenset({"pipeline", "operations", "options", "scenarios", "answers", "views", "formats", "compiled"}),
}

_INNER = (frozenset(_TOOL_IMPORTS) | frozenset(_NOUN_IMPORTS) | frozenset(_IMPORTS)) - FACES

ALLOWED: dict[str, frozenset[str]] = {
    "pipeline": _INNER | {"operations", "options"},
    "operations": _INNER | {"options"},
    "options": _INNER,
    **_NOUN_IMPORTS,
    **_TOOL_IMPORTS,
    **{room: NOUNS | others for room, others in _IMPORTS.items()},
    # What `import stateglass` offers, and what `python -m stateglass` starts.
    "__init__": _INNER | TOP,
    "__main__": frozenset({"cli"}),
}

# A foreign tool lives behind one door: only this room imports it.
DOORS = {
    "clang": "frontend",
    "z3": "smt",
    "bitwuzla": "smt",
    "pygraphviz": "views",
    "click": "cli",
    "numba": "compiled",
}

# Rooms that are entered by these modules alone: what they export is what others may use.
FRONTS = {
    "frontend": frozenset({"stateglass.frontend"}),
    # z3 is loaded by those who need it.
    "smt": frozenset({"stateglass.smt", "stateglass.smt.horn", "stateglass.smt.linear"}),
    "explore": frozenset(
        {
            "stateglass.explore",
            "stateglass.explore.merging",
            "stateglass.explore.stepwise",
            "stateglass.explore.stretches",
        }
    ),
}

assert frozenset(_NOUN_IMPORTS) == NOUNS
assert all(allowed <= frozenset(ALLOWED) for allowed in ALLOWED.values())
assert frozenset(DOORS.values()) <= frozenset(ALLOWED)
assert frozenset(FRONTS) <= frozenset(ALLOWED)


@final
@dataclass(frozen=True, slots=True)
class Import:
    """One imported module, by its full name, and where the import stands."""

    file: Path
    line: int
    module: str

    @property
    def room(self) -> str:
        """The room the import stands in."""
        return self.file.relative_to(PACKAGE).parts[0].removesuffix(".py")

    @property
    def target(self) -> str | None:
        """The room it imports; None for a module from elsewhere."""
        package, _, rest = self.module.partition(".")
        return (rest.partition(".")[0] or "__init__") if package == "stateglass" else None


def rooms() -> list[str]:
    """The rooms that exist: every folder with Python code, and the modules at the top."""
    folders = {path.relative_to(PACKAGE).parts[0] for path in PACKAGE.rglob("*.py") if path.parent != PACKAGE}
    return sorted(folders | {path.stem for path in PACKAGE.glob("*.py")})


def sentence(room: str) -> str:
    """The first sentence of a room's docstring."""
    path = PACKAGE / room / "__init__.py"
    path = path if path.exists() else PACKAGE / f"{room}.py"
    if not path.exists():
        return ""
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return " ".join(text.split("\n\n")[0].split())


def imports() -> Iterator[Import]:
    for file in sorted(PACKAGE.rglob("*.py")):
        yield from imports_of(file, file.read_text(encoding="utf-8"))


def imports_of(file: Path, text: str) -> Iterator[Import]:
    """Every import of a file of the package, those inside functions and for type checking only included."""
    parents = ["stateglass", *file.relative_to(PACKAGE).parts[:-1]]
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Import():
                for name in node.names:
                    yield Import(file, node.lineno, name.name)
            case ast.ImportFrom():
                start = parents[: len(parents) - node.level + 1] if node.level else []
                module = ".".join([*start, *([node.module] if node.module else [])])
                if module == "stateglass":  # `from stateglass import views` names a room by what is imported
                    for name in node.names:
                        is_room = name.name in ALLOWED
                        yield Import(file, node.lineno, f"stateglass.{name.name}" if is_room else module)
                else:
                    yield Import(file, node.lineno, module)
            case _:
                pass


def complaint(found: Import) -> str | None:
    """Why the contract forbids an import; None if it does not."""
    where = f"{found.file.relative_to(PACKAGE.parent)}:{found.line}"
    target = found.target
    if target is None:
        door = DOORS.get(found.module.partition(".")[0])
        if door is not None and door != found.room:
            return f"{where}: only `{door}` may import `{found.module}`"
        return None
    # The package's own `__init__` holds the version, which any room may print.
    if target in (found.room, "__init__"):
        return None
    if target not in ALLOWED.get(found.room, frozenset()):
        return f"{where}: `{found.room}` may not import `{target}`"
    fronts = FRONTS.get(target)
    if fronts is not None and found.module not in fronts:
        return f"{where}: `{found.module}` is inside `{target}`, which others enter by {', '.join(sorted(fronts))}"
    return None

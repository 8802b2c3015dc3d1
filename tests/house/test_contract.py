"""The import contract holds, and would notice if it did not."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections import Counter

import pytest

from scripts.rooms import ALLOWED, DOORS, PACKAGE, ROOT, complaint, imports, imports_of, rooms, sentence

# Distributions whose module goes by another name.
MODULE_OF = {"libclang-ng": "clang", "z3-solver": "z3"}
MOST_LINES = 600
MOST_LINES_OF_A_FUNCTION = 80


def test_every_import_keeps_the_contract() -> None:
    assert [said for found in imports() if (said := complaint(found))] == []


@pytest.mark.parametrize("room", rooms())
def test_every_room_is_in_the_contract_and_says_what_it_is(room: str) -> None:
    assert room in ALLOWED, f"`{room}` has no line in scripts/rooms.py"
    assert sentence(room).endswith("."), f"`{room}` must begin with its one sentence"


def test_every_foreign_module_is_a_declared_dependency() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = [re.split(r"[<>=!~ ]", requirement)[0] for requirement in project["dependencies"]]
    declared = {MODULE_OF.get(name, name) for name in names}
    used = {found.module.partition(".")[0] for found in imports() if found.target is None} - sys.stdlib_module_names
    assert used - declared == set(), "imported but not declared"
    assert declared - used == set(), "declared but not imported"


def test_modules_stay_readable() -> None:
    lengths = {path: path.read_text(encoding="utf-8").count("\n") for path in PACKAGE.rglob("*.py")}
    assert [str(path) for path, lines in lengths.items() if lines > MOST_LINES] == []


def long_functions(text: str) -> list[str]:
    """The functions of more lines than a reader keeps in mind; decorators do not count."""
    found = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    return [node.name for node in found if (node.end_lineno or 0) - node.lineno >= MOST_LINES_OF_A_FUNCTION]


def test_functions_stay_readable() -> None:
    found = {str(path): long_functions(path.read_text(encoding="utf-8")) for path in PACKAGE.rglob("*.py")}
    assert {path: names for path, names in found.items() if names} == {}


def test_long_functions_are_noticed() -> None:
    body = "    x = 1\n" * (MOST_LINES_OF_A_FUNCTION - 1)
    assert long_functions(f"def f():\n{body}") == []
    assert long_functions(f"class A:\n  async def f():\n{body}    x = 2\n") == ["f"]


def open_classes(text: str) -> list[str]:
    """The classes that somebody could inherit from; shapes and protocols are there for that."""
    found = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ClassDef))
    shapes = {"Protocol", "TypedDict", "NamedTuple"}
    return [
        node.name
        for node in found
        if "final" not in map(ast.unparse, node.decorator_list)
        and shapes.isdisjoint(ast.unparse(base).partition("[")[0] for base in node.bases)
    ]


def test_concrete_classes_are_final() -> None:
    # What one command says may be what another one says and more.
    files = [path for path in PACKAGE.rglob("*.py") if path.parent.name != "reports"]
    found = {str(path): open_classes(path.read_text(encoding="utf-8")) for path in files}
    assert {path: names for path, names in found.items() if names} == {}


def test_open_classes_are_noticed() -> None:
    assert open_classes("@final\nclass A: ...\nclass B(Protocol[T]): ...") == []
    assert open_classes("@dataclass(frozen=True)\nclass A(Exception): ...") == ["A"]


def unused_privates(text: str) -> list[str]:
    """What is private to a module and named there only once: functions, classes, constants and what objects hold."""
    found: list[str] = []
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.FunctionDef(name) | ast.ClassDef(name):
                found.append(name)
            case ast.Assign(targets=targets):
                found += [one.attr for one in targets if isinstance(one, ast.Attribute) and is_self(one.value)]
                found += [one.id for one in targets if isinstance(one, ast.Name)]
            case ast.AnnAssign(target=ast.Attribute(value, name)) if is_self(value):
                found.append(name)
            case ast.AnnAssign(target=ast.Name(name)):
                found.append(name)
            case _:
                pass
    words = Counter(re.findall(r"\w+", text))
    return [name for name in found if re.match(r"_[a-zA-Z]", name) and words[name] == 1]


def is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


def test_what_is_private_is_used() -> None:
    found = {str(path): unused_privates(path.read_text(encoding="utf-8")) for path in PACKAGE.rglob("*.py")}
    assert {path: names for path, names in found.items() if names} == {}


def test_what_is_private_and_not_used_is_noticed() -> None:
    used = "_A = 1\nclass _B:\n def __init__(self): self._c = _A\n def _d(self): return _B()._d(self._c)"
    assert unused_privates(used) == []
    assert unused_privates(used.replace("_d(self._c)", "_d()")) == ["_c"]
    assert unused_privates("_A: int = 1\ndef _f(): ...") == ["_A", "_f"]


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("source/x.py", "import stateglass.model"),
        ("source/x.py", "from stateglass.program import nodes"),
        ("model/x.py", "from stateglass import formats"),
        ("model/x.py", "def f():\n    from ..views import summary"),
        ("cli/x.py", "import stateglass.studio"),
        ("studio/x.py", "from stateglass.cli.main import run"),
        ("explore/x.py", "from stateglass.pipeline import extract"),
        ("explore/deep/x.py", "from ...frontend import read"),
        ("frontend/x.py", "from stateglass.system import System"),
        ("pipeline.py", "from stateglass.frontend.building.flags import FileFlags"),
        ("reflexion/x.py", "from stateglass.explore.cells.memory import Object"),
        ("reflexion/x.py", "from stateglass.explore.merging.trail import Line"),
        *((f"model/{module}.py", f"import {module}.part") for module in DOORS),
    ],
)
def test_forbidden_imports_are_noticed(file: str, text: str) -> None:
    [found] = imports_of(PACKAGE / file, text)
    assert complaint(found) is not None


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("cli/x.py", "from stateglass import __version__"),
        ("cli/x.py", "from stateglass.views.summary import summarise"),
        ("cli/x.py", "import click"),
        ("explore/x.py", "from . import steps"),
        ("explore/x.py", "from stateglass.system import System"),
        ("explore/x.py", "from stateglass.explore.cells.memory import Object"),
        ("reflexion/x.py", "from stateglass.explore.merging import Line"),
        ("pipeline.py", "from stateglass import frontend"),
        ("formats/x.py", "import numpy"),
    ],
)
def test_permitted_imports_are_left_alone(file: str, text: str) -> None:
    [found] = imports_of(PACKAGE / file, text)
    assert complaint(found) is None

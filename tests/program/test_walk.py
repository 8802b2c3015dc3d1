"""What is in a statement is found, whatever statement it is."""

from __future__ import annotations

import dataclasses
from typing import Any, get_args, get_type_hints

import pytest

from stateglass.program import Assign, Copy, CopyBytes, Expression, Int, Load, Local, Place, Release, Return
from stateglass.program import Statement as AnyStatement
from stateglass.program import Terminator as AnyTerminator
from stateglass.program.nodes import Call, Living
from stateglass.program.walk import Bytes, called_by, copied_by, nodes_in, read_by, stored_by, written_by

INT = Int(32, signed=True)
NODES = (*get_args(AnyStatement), *get_args(AnyTerminator))


def local(name: str) -> Local:
    return Local(name, INT)


def load(name: str) -> Load:
    return Load(local(name), INT)


def made(node: type[Any]) -> tuple[Any, set[str]]:
    """A node whose parts are all named like its fields, and these names."""
    values: dict[str, Any] = {}
    names: set[str] = set()
    hints = get_type_hints(node)
    for field in dataclasses.fields(node):
        if field.name == "span":
            continue
        kinds = set(get_args(hints[field.name])) or {hints[field.name]}
        if set(get_args(Expression)) <= kinds:
            values[field.name] = load(field.name)
        elif set(get_args(Place)) <= kinds or Local in kinds:
            values[field.name] = local(field.name)
        elif field.name == "arguments":
            values[field.name] = (load(field.name),)
        else:
            values[field.name] = () if field.name == "cases" else INT if field.name == "type" else 0
            continue
        names.add(field.name)
    return node(**values), names


@pytest.mark.parametrize("node", NODES, ids=lambda node: node.__name__)
def test_every_part_of_a_node_is_read_or_written(node: type[Any]) -> None:
    example, names = made(node)
    found = {inner.name for inner in nodes_in(example) if isinstance(inner, Local)}
    # A life that begins or ends is neither.
    assert found == names - ({"local"} if node in get_args(Living) else set())
    assert set(stored_by(example)) <= set(written_by(example))


def test_bytes_behind_pointers_are_written_and_copied() -> None:
    to, start, count = load("to"), load("start"), load("count")
    node = CopyBytes(to, start, count, apart=False)
    assert written_by(node) == (Bytes(to, count),)
    assert copied_by(node) == (Bytes(start, count),)
    assert stored_by(node) == ()
    assert read_by(node) == (to, start, count)


def test_what_statements_change_and_call() -> None:
    assert written_by(Assign(local("x"), load("y"))) == (local("x"),)
    assert copied_by(Copy(local("x"), local("y"))) == (local("y"),)
    assert written_by(Call(None, "f", ())) == ()
    assert called_by(Call(None, "f", ())) == "f"
    pointer = load("p")
    assert called_by(Call(None, pointer, ())) == pointer
    assert written_by(Release(pointer)) == ()
    assert called_by(Return(None)) is None

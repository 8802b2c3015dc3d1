"""Nodes of a function with other names for its locals, so that it can stand in the midst of another one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, Final, TypeVar, get_args

from stateglass.program import Local
from stateglass.program.nodes import Aggregate, Expression, Place, Statement, Terminator

_N = TypeVar("_N")
_NODES: Final = frozenset(
    (*get_args(Expression), *get_args(Place), *get_args(Statement), *get_args(Terminator), Aggregate)
)


def renamed(node: _N, names: Mapping[str, str]) -> _N:
    """A statement, terminator, expression or place with the locals in it called otherwise."""
    found: _N = _renamed(node, names)
    return found


def _renamed(node: Any, names: Mapping[str, str]) -> Any:
    if isinstance(node, Local):
        return replace(node, name=names[node.name])
    if isinstance(node, tuple):
        return tuple(_renamed(part, names) for part in node)
    if type(node) not in _NODES:
        return node
    return replace(node, **{field.name: _renamed(getattr(node, field.name), names) for field in fields(node)})

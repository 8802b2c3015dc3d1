"""Ctrl-C, alarms and compiled loops: they are heard between two calls of them, never inside."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

from stateglass.work.held_back import HeldBack

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")


def whole(loop: Callable[_Arguments, _Result], *args: _Arguments.args, **kwargs: _Arguments.kwargs) -> _Result:
    """The result of a compiled loop; Ctrl-C or an alarm in the meantime is answered when it has returned.

    Loading machine code goes through callbacks from C into Python. An exception that is raised in one of them, as the
    usual answer to Ctrl-C is, crashes the interpreter now and then.
    """
    with HeldBack():
        return loop(*args, **kwargs)

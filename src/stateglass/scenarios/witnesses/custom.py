"""Strategies of somebody's own: functions in Python files that say what a step costs.

What goes wrong in such a function is a mistake of whoever wrote it, and is told with the file and the line.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from types import TracebackType
from typing import Any, Final, final

import numpy as np

from stateglass.model import Model, Proposition, Sort
from stateglass.scenarios.witnesses.ground import Longs
from stateglass.scenarios.witnesses.strategies import Custom, Facts
from stateglass.source import Code, InputError, Span, input_error, small_text, suggestion

SCALE: Final = 1000
"""Costs count in thousandths: with whole numbers, what costs the same is the same."""
MOST: Final = 10**9
MOST_BYTES: Final = 1 << 20

Value = bool | int | float | str | None


@final
class Valuation(Mapping[str, Value]):
    """The values of a state by name: numbers, truth values, the names of enumerators; None where there is no value."""

    def __init__(self, propositions: Mapping[str, Proposition], state: int) -> None:
        self._propositions = propositions
        self.state = state

    def __getitem__(self, name: str) -> Value:
        own = self._propositions[name]
        if own.defined is not None and not own.defined[self.state]:
            return None
        value = own.values[self.state]
        match own.sort:
            case Sort.FLOAT:
                return float(value)
            case Sort.BOOL:
                return bool(value)
            case Sort.INT:
                return int(value)
            case _:
                return own.text(self.state)

    def __iter__(self) -> Iterator[str]:
        return iter(self._propositions)

    def __len__(self) -> int:
        return len(self._propositions)


@final
class TakenStep:
    """What a function is asked about: a step from one state to another."""

    __slots__ = ("action", "is_new", "source", "source_state", "target", "target_state")

    def __init__(self, source: Valuation, action: str, target: Valuation, is_new: bool) -> None:
        self.source = source
        self.action = action
        self.target = target
        self.source_state = source.state
        self.target_state = target.state
        self.is_new = is_new  # an older version does not have it

    @property
    def changed(self) -> frozenset[str]:
        """The names of the values that the step changes."""
        return frozenset(name for name in self.source if self.source[name] != self.target[name])


def custom_prices(aim: Custom, model: Model, asked: Longs, facts: Facts) -> Longs:
    """What each of the transitions that are asked about costs; the others cost nothing."""
    function = _function(aim)
    propositions = {own.name: own for own in model.propositions}
    states = [Valuation(propositions, state) for state in range(model.states)]
    prices: Longs = np.zeros(model.transitions, dtype=np.int64)
    is_new = np.zeros(model.transitions, dtype=np.bool_) if facts.is_new is None else facts.is_new
    columns = (model.sources, model.actions, model.targets, is_new)
    rows = zip(*(column[asked].tolist() for column in columns), strict=True)
    prices[asked] = [
        _price(function, TakenStep(states[source], model.labels[action], states[target], new), aim)
        for source, action, target, new in rows
    ]
    return prices


def _price(function: Callable[[TakenStep], Any], step: TakenStep, aim: Custom) -> int:
    try:
        cost = function(step)
    except (Exception, SystemExit) as problem:
        raise _failure(problem, f"`{aim.function}` fails for the step `{step.action}`", aim) from None
    if type(cost) is bool or (type(cost) is int and 0 <= cost <= MOST):
        return cost * SCALE
    what = f"`{aim.function}` returns {cost!r:.60} for the step `{step.action}`"
    try:
        number = float(cost)
    except (TypeError, ValueError, OverflowError):
        raise input_error(Code.USAGE, f"{what}, which is no number", Span.at(aim.file), _HELP) from None
    if not math.isfinite(number) or not 0 <= number <= MOST:
        message = f"{what}: a cost is at least 0 and at most {MOST:,}"
        raise input_error(Code.USAGE, message, Span.at(aim.file), _HELP)
    return round(number * SCALE)


_HELP: Final = "return how much the step is to be avoided: 0 for a step that is welcome, 1 for one that is not"


def _function(aim: Custom) -> Callable[[TakenStep], Any]:
    text = small_text(aim.file, "a strategy", Code.SYNTAX, MOST_BYTES)
    # A name of its own: what the file does only when it is run by itself, it does not do now.
    names: dict[str, Any] = {"__name__": "strategy", "__file__": aim.file}
    try:
        # Whoever names the file wants it to be run.
        exec(compile(text, aim.file, "exec"), names)
    except SyntaxError as problem:
        at = Span.at(aim.file, problem.lineno or 0)
        raise input_error(Code.SYNTAX, f"this is no Python: {problem.msg}", at) from None
    except (Exception, SystemExit) as problem:
        raise _failure(problem, "the file fails", aim) from None
    function = names.get(aim.function)
    if not callable(function):
        known = [name for name, value in names.items() if callable(value) and not name.startswith("_")]
        message = f"`{aim.file}` has no function `{aim.function}`"
        raise input_error(Code.UNKNOWN_NAME, message, Span.at(aim.file), suggestion(aim.function, known))
    found: Callable[[TakenStep], Any] = function
    return found


def _failure(problem: BaseException, message: str, aim: Custom) -> InputError:
    said = " ".join(str(problem).split())[:200]
    name = type(problem).__name__
    text = f"{message}: {name}: {said}" if said else f"{message}: {name}"
    return input_error(Code.USAGE, text, Span.at(aim.file, _line(problem.__traceback__, aim.file)))


def _line(trace: TracebackType | None, file: str) -> int:
    """The line of the file in which it went wrong, or from which others were called."""
    line = 0
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == file:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line

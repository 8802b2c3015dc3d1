"""Which labels of a model an event of a log may be: by its text, by the name in it, or with the arguments too."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum, unique
from typing import Final, assert_never, final

from stateglass.model import TAU, Verb, parsed
from stateglass.model.actions import split_arguments
from stateglass.replay.arguments import may_be_equal, same_status
from stateglass.replay.happenings import End, Happening, Killed, Signal, SystemCall
from stateglass.replay.vague_values import may_be_logged
from stateglass.source import Code, Diagnostic, InputError, close_match, input_error, suggestion
from stateglass.values.abstract.texts import is_vague

MOST_REMEMBERED: Final = 100_000
"""Translations that are kept; a log may have any number of different events."""
MOST_COMPARED: Final = 20_000
"""Labels that a misspelt event is compared with."""
MOST_LETTERS: Final = 500
"""A longer event is compared with nothing."""

# System calls that no source code makes: what is behind the end of a process and of a signal handler.
_NOT_CALLED: Final = frozenset({"exit", "exit_group", "restart_syscall", "rt_sigreturn", "sigreturn"})


@final
@unique
class Match(Enum):
    """The `--match` option: how much of an event must agree with a label."""

    TEXT = "text"
    NAME = "name"
    ARGUMENTS = "arguments"


@final
@dataclass(frozen=True, slots=True)
class Mapping:
    """`EVENT=ACTION`: what an event is called in the model; an empty action leaves the event out."""

    event: str
    action: str

    @staticmethod
    def of(text: str) -> Mapping:
        found = re.fullmatch(r"((?:[^\\=]|\\.)+)=(.*)", text, re.DOTALL)
        if found is None:
            help = "write EVENT=ACTION, or EVENT= to leave it out; an = within EVENT is written \\="
            raise input_error(Code.USAGE, f"`{text}` maps no event to an action", help=help)
        return Mapping(found[1].replace("\\=", "=").strip(), found[2].strip())

    def pattern(self) -> re.Pattern[str]:
        """`*` stands for any text."""
        return re.compile(".*".join(map(re.escape, self.event.split("*"))), re.DOTALL)


@final
@dataclass(frozen=True, slots=True)
class _Label:
    """A label taken apart: what is called or returns, and with what."""

    number: int
    name: str
    arguments: tuple[str, ...]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Move:
    """One step of the model: any of these labels; an `unsure` one may also not have happened.

    A dictionary gives equal moves as one object, so that they can be looked up by identity, which is fast.
    """

    labels: tuple[int, ...]
    unsure: bool = False


Moves = tuple[Move, ...]


@final
class Alphabet:
    """The labels of a model, found by text and by name."""

    def __init__(self, labels: Sequence[str]) -> None:
        self.labels = labels
        self.by_text: dict[str, list[int]] = {}
        self.calls: dict[str, list[_Label]] = {}
        self.returns: dict[str, list[_Label]] = {}
        self.vague: dict[
            tuple[Verb | None, str], list[_Label]
        ] = {}  # with values that stand for several, by what is in front of them
        for number, label in enumerate(labels):
            if label == TAU:
                continue
            self.by_text.setdefault(label.strip(), []).append(number)
            returns, name, arguments = _parts(label.strip())
            table = self.returns if returns else self.calls
            table.setdefault(name, []).append(_Label(number, name, arguments))
            if any(map(is_vague, arguments)):
                self.vague.setdefault(_head(label.strip()), []).append(_Label(number, name, arguments))

    def has_name(self, name: str) -> bool:
        return name in self.calls or name in self.returns

    def names(self) -> Iterable[str]:
        return dict.fromkeys((*self.calls, *self.returns))


@final
class Dictionary:
    """Translates what happened into moves of the model.

    `moves` gives None for what the model has no label for, and no moves for what was left out on purpose.
    """

    def __init__(
        self, alphabet: Alphabet, match: Match = Match.TEXT, mappings: Sequence[Mapping] = (), *, complete: bool = False
    ) -> None:
        self.alphabet = alphabet
        self._match = match
        self._complete = complete
        self._mappings = [(mapping.pattern(), mapping.action) for mapping in mappings]
        self._moves: dict[tuple[tuple[int, ...], bool], Move] = {}
        self._known: dict[Happening | tuple[str, bool, bool], Moves | None] = {}
        problems = [d for mapping in mappings for d in self._trouble(mapping)]
        if problems:
            raise InputError(problems)

    def moves(self, happening: Happening) -> Moves | None:
        key: Happening | tuple[str, bool, bool] = happening
        if isinstance(happening, SystemCall) and self._match is Match.NAME:
            key = (happening.name, bool(happening.result), happening.restarted)
        try:
            return self._known[key]
        except KeyError:
            if len(self._known) >= MOST_REMEMBERED:
                self._known.clear()
            found = self._known[key] = self._translated(happening)
            return found

    def advice(self, happening: Happening, allowed: Iterable[str]) -> str:
        """What may have been meant by an event that the model has no label for."""
        if len(self._event(happening)) > MOST_LETTERS:
            return ""
        if isinstance(happening, str) and self._match is not Match.NAME:
            labels = list(self.alphabet.by_text)
            return close_match(happening, labels if len(labels) <= MOST_COMPARED else allowed)
        names = list(self.alphabet.names())
        return close_match(self._event(happening), names if len(names) <= MOST_COMPARED else allowed)

    def _translated(self, happening: Happening) -> Moves | None:
        mapped = self._mapped(self._event(happening))
        if mapped == "":
            return ()
        if mapped is not None:
            return self._as(mapped, happening)
        match happening:
            case str():
                return () if happening == TAU else self._action(happening)
            case SystemCall():
                moves = None if happening.name == "exit" else self._called(happening.name, happening)
                return () if moves is None and happening.name in _NOT_CALLED else moves
            case End():
                return self._end(happening)
            case Signal():
                return self._text(str(happening)) or ()
            case Killed():
                # Where only a beginning of a run is asked for, the run simply goes on no further.
                return self._text(str(happening)) or (None if self._complete else ())
            case _:
                assert_never(happening)

    def _event(self, happening: Happening) -> str:
        """What mappings look at."""
        return happening.name if isinstance(happening, SystemCall) else str(happening)

    def _mapped(self, event: str) -> str | None:
        return next((action for pattern, action in self._mappings if pattern.fullmatch(event)), None)

    def _as(self, action: str, happening: Happening) -> Moves | None:
        """The event under another name, which is the text of a label or the name in it."""
        exact = self._text(action, unsure=isinstance(happening, SystemCall) and happening.restarted)
        if exact is not None and (self._match is Match.TEXT or not self.alphabet.has_name(action)):
            return exact
        match happening:
            case SystemCall():
                return self._called(action, happening)
            case str():
                _, _, arguments = _parts(happening)
                return self._called(action, SystemCall(action, ", ".join(arguments), "?"))
            case Signal() | End() | Killed():
                return self._called(action, SystemCall(action, "", "?"), all_arguments=True)
            case _:
                assert_never(happening)

    def _text(self, text: str, *, unsure: bool = False) -> Moves | None:
        labels = list(self.alphabet.by_text.get(text, ()))
        vague = self.alphabet.vague.get(_head(text), ()) if self.alphabet.vague else ()
        if vague:
            _, _, given = _parts(text)
            labels += [v.number for v in vague if v.number not in labels and _may_be(v.arguments, given)]
        return (self._move(tuple(labels), unsure),) if labels else None

    def _action(self, text: str) -> Moves | None:
        exact = self._text(text)
        if self._match is Match.TEXT or (exact is not None and self._match is Match.ARGUMENTS):
            return exact
        returns, name, arguments = _parts(text)
        given = SystemCall(name, ", ".join(arguments), "?")
        if parsed(text).verb not in (Verb.CALL, Verb.RETURN):
            return self._called(name, given)
        table = self.alphabet.returns if returns else self.alphabet.calls
        return self._only(table, name, arguments)

    def _only(self, table: dict[str, list[_Label]], name: str, arguments: Sequence[str]) -> Moves | None:
        if name not in table:
            return None
        return (self._move(self._fitting(table[name], lambda label: _agree(label.arguments, arguments))),)

    def _called(self, name: str, call: SystemCall, *, all_arguments: bool = False) -> Moves | None:
        """The call and its return, as far as the model tells of them."""
        if not self.alphabet.has_name(name):
            return None
        moves = []
        if name in self.alphabet.calls:
            given = split_arguments(call.arguments) if self._match is Match.ARGUMENTS else ()
            labels = self._fitting(
                self.alphabet.calls[name], lambda label: all_arguments or _agree(label.arguments, given)
            )
            moves.append(self._move(labels, call.restarted))
        if name in self.alphabet.returns and call.result:
            result = call.result.split()[0]
            labels = self._fitting(
                self.alphabet.returns[name],
                lambda label: not label.arguments or _comparable(label.arguments[0], result),
            )
            moves.append(self._move(labels))
        return tuple(moves)

    def _end(self, end: End) -> Moves | None:
        """`exit(n)`; a model without any says nothing about ends."""
        exits = self.alphabet.calls.get("exit")
        if exits is None:
            return ()
        labels = self._fitting(exits, lambda label: not label.arguments or same_status(label.arguments[-1], end.status))
        return (self._move(labels),)

    def _move(self, labels: tuple[int, ...], unsure: bool = False) -> Move:
        return self._moves.setdefault((labels, unsure), Move(labels, unsure))

    def _fitting(self, labels: Iterable[_Label], agrees: Callable[[_Label], bool]) -> tuple[int, ...]:
        return tuple(label.number for label in labels if self._match is not Match.ARGUMENTS or agrees(label))

    def _trouble(self, mapping: Mapping) -> list[Diagnostic]:
        action = mapping.action
        if not action or action in self.alphabet.by_text or self.alphabet.has_name(action):
            return []
        known = [*self.alphabet.by_text, *self.alphabet.names()]
        message = f"`{mapping.event}` cannot be mapped to `{action}`: the model has no such action"
        return [Diagnostic(Code.UNKNOWN_NAME, message, help=suggestion(action, known[:MOST_COMPARED]))]


def _parts(label: str) -> tuple[bool, str, tuple[str, ...]]:
    """Whether a label is a return, of what, and with which arguments: `call(f, 1)`, `f(1)` and `f` are calls of f."""
    action = parsed(label)
    match action.verb:
        case Verb.CALL | Verb.RETURN if action.name:
            return action.verb is Verb.RETURN, action.name, action.arguments
        case _:
            return False, action.head, action.inside


def _head(label: str) -> tuple[Verb | None, str]:
    """What stands in front of the values: `return` of `f`, `send`, `exit`."""
    action = parsed(label)
    match action.verb:
        case None | Verb.CALL | Verb.RETURN:
            return action.verb, action.name
        case _:
            return action.verb, ""


def _may_be(expected: Sequence[str], given: Sequence[str]) -> bool:
    """Whether given arguments are those of a label, as far as its values stand for several."""
    if len(expected) != len(given):
        return False
    pairs = zip(expected, given, strict=True)
    return all(may_be_logged(one, other) if is_vague(one) else one == other for one, other in pairs)


def _agree(expected: Sequence[str], given: Sequence[str]) -> bool:
    """Arguments are compared from the left; a label may show fewer than were given."""
    return all(_comparable(one, other) for one, other in zip(expected, given, strict=False))


def _comparable(one: str, other: str) -> bool:
    """Whether two arguments may be the same; a pointer may be written in many ways, and may be anything."""
    numbers = is_vague(one) and not one.startswith(("&", "{"))
    return may_be_logged(one, other, either_sign=True) if numbers else may_be_equal(one, other)

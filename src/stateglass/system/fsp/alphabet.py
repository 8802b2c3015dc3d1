"""Which functions and fields a process speaks about, and whether the object that it stands for has them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import assert_never, final

from stateglass.source import Diagnostic, Severity, counted, suggestion
from stateglass.system.fsp.actions import SUBJECT, Kind
from stateglass.system.fsp.nodes import Choice, Error, Guarded, Pattern, Prefix, Process, Reference, Stop, Term


@final
@dataclass(frozen=True, slots=True)
class Signature:
    """What is known of a function: how many values a call of it has, and whether it returns one."""

    parameters: int
    returns_value: bool
    unsupported: str = ""  # why a process cannot have to do with it; empty: it can


@final
@dataclass(frozen=True, slots=True)
class Interface:
    """The functions and fields of an object, as its processes call them."""

    methods: Mapping[str, Signature]
    fields: frozenset[str] = field(default=frozenset())


def alphabet(process: Process) -> tuple[Pattern, ...]:
    """The actions that stand in a process, in the order of the text; of equal ones the first."""
    return tuple(dict.fromkeys(p for d in process.definitions for p in _patterns(d.term)))


def _patterns(term: Term) -> Iterator[Pattern]:
    match term:
        case Prefix(patterns, then):
            yield from patterns
            yield from _patterns(then)
        case Choice(options):
            for option in options:
                yield from _patterns(option)
        case Guarded(_, guarded):
            yield from _patterns(guarded)
        case Reference() | Stop() | Error():
            pass
        case _:
            assert_never(term)


def misfits(process: Process, member: Interface, subject: Interface | None = None) -> list[Diagnostic]:
    """What the process says that the objects do not have (errors), and what it never accepts or answers (warnings).

    `member` is what the process stands for; `subject` is whose member that is, if it may be called back.
    """
    found: list[Diagnostic] = []
    spoken = alphabet(process)
    said: set[str] = set()
    for pattern in spoken:
        message, help = _wrong(pattern, member, subject) or ("", "")
        if message and message not in said:
            said.add(message)
            found.append(process.finding(message, pattern.at, help, Severity.ERROR))
    start = process.definitions[0].at
    called = {p.name for p in spoken if p.kind is Kind.CALL}
    answered = {p.name for p in spoken if p.kind in (Kind.RETURN, Kind.THROW)}
    for name in member.methods:
        if name not in called:
            message = f"`{process.name}` never accepts a call of `{name}`"
            found.append(
                process.finding(message, start, f"add `call({name})` where it may be called", Severity.WARNING)
            )
        elif name not in answered and "" not in answered:
            message = f"`{process.name}` never answers a call of `{name}`"
            found.append(process.finding(message, start, f"add `return({name})` behind the call", Severity.WARNING))
    return found


def _wrong(pattern: Pattern, member: Interface, subject: Interface | None) -> tuple[str, str] | None:
    """What is wrong with an action, and what would fit."""
    if pattern.kind is Kind.EVENT:
        return None
    if not pattern.name:
        if len(member.methods) == 1:
            return _wrong_values(pattern, *next(iter(member.methods.items())))
        return "nothing says which function returns here", "write `return(open, 1)` with the name of the function"
    called_back = pattern.name.startswith(SUBJECT)
    if called_back and subject is None:
        return f"`{pattern.name}` is no action of this process: it may not call its subject back", ""
    prefix = SUBJECT if called_back else ""
    of = subject if called_back and subject is not None else member
    name = pattern.name.removeprefix(prefix)
    is_access = pattern.kind in (Kind.LOAD, Kind.STORE)
    known, others = (of.fields, of.methods) if is_access else (of.methods, of.fields)
    if name in known:
        return None if is_access else _wrong_values(pattern, pattern.name, of.methods[name])
    if name in others:
        verbs = "a function: it is called" if is_access else "a field: it is loaded and stored"
        return f"`{pattern.name}` is {verbs}", ""
    if not called_back and subject is not None and name in (subject.fields if is_access else subject.methods):
        return f"there is no function `{name}` of this process", f"write `{SUBJECT}{name}` for that of its subject"
    what = "field" if is_access else "function"
    none = f"there are no {what}s"
    return f"there is no {what} `{pattern.name}`", suggestion(pattern.name, [prefix + k for k in known]) or none


def _wrong_values(pattern: Pattern, name: str, signature: Signature) -> tuple[str, str] | None:
    given = len(pattern.arguments)
    if signature.unsupported:
        return f"`{name}` cannot be called by a process: {signature.unsupported}", ""
    if pattern.kind is Kind.CALL and given != signature.parameters:
        takes = counted(signature.parameters, "value") if signature.parameters else "no values"
        return f"`{name}` takes {takes}, and {given or 'none'} stand here", ""
    if pattern.kind is Kind.RETURN and signature.returns_value and not given:
        return f"`{name}` returns a value", f"write which one: `return({name}, 0)`, or `return({name}, v:0..3)`"
    if pattern.kind is Kind.RETURN and given and not signature.returns_value:
        return f"`{name}` returns no value", f"write `return({name})`"
    return None

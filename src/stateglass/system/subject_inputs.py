"""The inputs of an object that is looked at: short names for its bounds, and its public variables."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress

from stateglass.program import Program, is_scalar
from stateglass.source import Code, Diagnostic, InputError
from stateglass.system.bounds import is_list, parse_bound
from stateglass.system.choosing import Choosing
from stateglass.system.fields import names_of_parts, public_numbers
from stateglass.system.inputs import InputKind, Need
from stateglass.system.making.naming import short_names
from stateglass.system.subjects import Subject
from stateglass.system.system import Choice, PublicField, SubjectObject


def with_whole_names(
    bounds: Iterable[tuple[str, str]], needs: list[Need], subject: Subject, shared: Mapping[str, tuple[str, ...]]
) -> dict[str, str]:
    """Bounds by the whole names of the inputs that are meant; a name may leave out what goes without saying.

    `shared` are names of functions of a class that stand for those of several parts.
    """
    known = {need.name for need in needs}
    # What is in the global namespace may be said to be.
    told = [(name if name in known else name.removeprefix("::"), spec) for name, spec in bounds]
    given = dict(told)
    twice = [name for name, _ in told if sum(other == name for other, _ in told) > 1]
    if twice:
        raise InputError(Diagnostic(Code.BOUND, f"`{name}` has two bounds") for name in dict.fromkeys(twice))
    if subject.owner is None:
        return given
    short: dict[str, dict[str, None]] = {}
    for need in needs:
        for name in _short_names(need, subject):
            short.setdefault(name, {})[need.name] = None
    whole: dict[str, str] = {}
    problems: list[Diagnostic] = []
    for name, spec in given.items():
        for_all = [n for n in _for_each_part(name, shared) if n in known]
        if for_all:
            # What is said of one part goes before what is said of its class.
            whole |= {n: spec for n in for_all if n not in given}
            continue
        stem, element = _stem(name)
        meant = [stem] if stem in known else list(short.get(stem, {stem: None}))
        if len(meant) > 1:
            readings = ", ".join(f"`{m}{element}`" for m in meant)
            problems.append(Diagnostic(Code.AMBIGUOUS_NAME, f"`{name}` may mean {readings}", help="write one of them"))
        elif meant[0] + element in whole:
            problems.append(Diagnostic(Code.BOUND, f"`{meant[0]}{element}` has two bounds"))
        else:
            whole[meant[0] + element] = spec
    if problems:
        raise InputError(problems)
    return whole


def names_of_lists(bounds: Iterable[tuple[str, str]], shared: Mapping[str, tuple[str, ...]]) -> set[str]:
    """The inputs that may be meant where a bound says how many elements there are."""
    found: set[str] = set()
    for name, text in bounds:
        with suppress(InputError):  # what is wrong with a bound is said where it is used
            if is_list(parse_bound(text)):
                found |= {name.removeprefix("::"), *_for_each_part(name, shared)}
    return found


def _for_each_part(name: str, shared: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """`motor.start()` and `spare.start()` for `Motor.start()`; so for what is written through parameters."""
    for of_class, functions in shared.items():
        behind = name.removeprefix(of_class)
        if behind != name and (not behind or behind.startswith(("(", "."))):
            yield from (function + behind for function in functions)


def _stem(name: str) -> tuple[str, str]:
    """A name, and the element of an array that it ends with."""
    start = name.find("[", name.rfind("."))
    return (name, "") if start < 0 or not name.endswith("]") else (name[:start], name[start:])


def _short_names(need: Need, subject: Subject) -> Iterator[str]:
    assert subject.owner is not None
    prefix = f"{subject.owner.name}."
    if need.kind in (InputKind.PARAMETER, InputKind.POINTED):
        yield from short_names(need.name, need.owner, subject.owner.name)
    elif need.name.startswith(prefix):
        yield need.name.removeprefix(prefix)


def field_needs(program: Program, subject: Subject) -> list[Need]:
    """The public variables of the object that may be given a bound."""
    if subject.owner is None:
        return []
    name = subject.owner.name
    return [
        Need(f"{name}.{path}", type, InputKind.FIELD, False, name, part=position)
        for path, type, position, constant in public_numbers(program, subject.owner)
        if not constant
    ]


def object_of(
    program: Program, subject: Subject, choosing: Choosing, valueless: Collection[str]
) -> SubjectObject | None:
    """What is known of the object that is looked at; parts that are `valueless` have nothing to show."""
    if subject.owner is None:
        return None
    owner = subject.owner
    stored = {n.part: choosing.choice(n) for n in field_needs(program, subject)}
    fields = []
    for path, type, position, _ in public_numbers(program, owner):
        assert is_scalar(type)
        choice = stored.get(position)
        values = choice.values if isinstance(choice, Choice) else ()
        fields.append(PublicField(f"{owner.name}.{path}", position, type, values))
    taken = {v.name for v in program.variables.values() if not v.readonly}
    inside = tuple(f"{part}{mark}" for part in valueless for mark in ".[")
    names = {p: "" if n.startswith(inside) else n for p, n in names_of_parts(program, owner, taken).items()}
    fields = [f for f in fields if not f.name.removeprefix(f"{owner.name}.").startswith(inside)]
    return SubjectObject(owner.name, names, tuple(fields))

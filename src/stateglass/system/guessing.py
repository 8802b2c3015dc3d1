"""A first guess at a system: which functions the environment calls, and bounds to begin with."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, final

from stateglass.program import Array, Call, FunctionReference, Program
from stateglass.program.callgraph import reachable, statements_of
from stateglass.program.exceptions import thrown_name, thrown_types
from stateglass.program.walk import nodes_in
from stateglass.source import Code, Diagnostic, InputError, Severity, input_error
from stateglass.system.bounds import default_values, describe_missing, shown_type
from stateglass.system.building import check_names
from stateglass.system.examples import examples_for
from stateglass.system.inputs import InputKind, Need, as_bytes, asked_type, element_of, many_members, possible_inputs
from stateglass.system.making.applying import applied
from stateglass.system.making.kinds import bases_of, is_dynamic
from stateglass.system.making.plan import Plan
from stateglass.system.making.planning import plan_for
from stateglass.system.parts import parts_of
from stateglass.system.subject_inputs import names_of_lists, with_whole_names
from stateglass.system.subjects import Asked, Subject, class_called, subject_of
from stateglass.system.surroundings import surroundings_of

_INIT: Final = re.compile(r"(?:.*_)?(?:init|initialise|initialize|setup)", re.IGNORECASE)


@final
@dataclass(frozen=True, slots=True)
class GuessedBound:
    """A bound for an input that needs one."""

    name: str
    spec: str
    comment: str


@final
@dataclass(frozen=True, slots=True)
class Guess:
    """What a project file could say."""

    name: str
    functions: tuple[str, ...]
    init: str | None
    mode: str | None
    bounds: tuple[GuessedBound, ...]
    without_bound: tuple[Diagnostic, ...]  # about inputs that no bound can be given for
    left_out: tuple[str, ...] = ()  # functions of the files that are not called, such as interrupt handlers
    members: tuple[tuple[str, str], ...] = ()  # of a class: its parts, and what stands for them
    visible: tuple[str, ...] = ()  # the functions of a class that are called
    outside: tuple[str, ...] = ()  # functions of its parts without a body that may throw
    thrown: tuple[str, ...] = ()  # the types of exceptions that the program knows


def default_function(program: Program) -> str:
    """The function that is meant if none is named: `main`, or the only one."""
    names = program.own_functions
    if "main" in names:
        return "main"
    from_outside = [name for name in names if not program.functions[name].internal]
    if len(from_outside or names) == 1:
        return (from_outside or names)[0]
    if not names:
        files = ", ".join(program.files)
        raise input_error(Code.UNKNOWN_NAME, f"there is no function with a body in {files}")
    classes = [c.name for c in program.classes.values() if not c.span.in_library and not c.abstract]
    if not classes:
        help = f"add --function NAME; there is {_some(names)}"
        raise input_error(Code.USAGE, "say which function the environment calls", help=help)
    # Those of classes, and those that only the compiler calls, are no functions that somebody would name here.
    free = [name for name in from_outside if "." not in name and " " not in name]
    help = f"add --class NAME; there is {_some(classes)}"
    help += f"\nor --function NAME; there is {_some(free)}" if free else ""
    raise input_error(Code.USAGE, "say which class or function is looked at", help=help)


def _some(names: Sequence[str]) -> str:
    return ", ".join(f"`{n}`" for n in names[:20]) + (", …" if len(names) > 20 else "")


def guess_system(
    program: Program, functions: tuple[str, ...], init: str | None, mode: str | None, bounds: Mapping[str, str]
) -> Guess:
    """A system for a program: what is given is kept, and the rest is guessed."""
    if not program.own_functions:
        raise input_error(Code.UNKNOWN_NAME, f"there is no function with a body in {', '.join(program.files)}")
    check_names(program, functions, init)
    chosen = functions or _entries(program)
    if init is None and not functions:
        candidates = [name for name in chosen if _INIT.fullmatch(name)]
        if candidates and len(chosen) > 1:
            init = candidates[0]
            chosen = tuple(name for name in chosen if name != init)
    roots = (*chosen, *([init] if init is not None else []))
    called = reachable(program, roots)
    needs = as_bytes(program, possible_inputs(program, roots, called), names_of_lists(bounds.items(), {}))
    found, warnings = _bounds(program, needs, bounds)
    left_out = tuple(name for name in program.own_functions if name not in called.functions)
    return Guess(chosen[0], chosen, init, mode, found, warnings, left_out)


def plan_with_examples(program: Program, subject: Subject, bounds: Mapping[str, str], asked: Asked) -> Plan:
    """What is made for an object, with guesses where bounds are missing."""
    given = dict(bounds)
    while True:
        plan = plan_for(program, subject, given.items(), asked)
        if plan.problems:
            raise InputError(plan.problems)
        guessed = {m.name: m.example for m in plan.missing if m.name not in given}
        if not guessed:
            return replace(plan, missing=())
        given |= guessed


def guess_object(
    program: Program, of_class: str, init: str | None, bounds: Mapping[str, str], asked: Asked, plan: Plan
) -> Guess:
    """The same for a class, with what is made for it."""
    program, subject = applied(plan, program, subject_of(program, (), init, of_class, asked))
    assert subject.owner is not None
    around = surroundings_of(program, subject, asked, plan)
    handed = [(t.name, t.owner) for t in plan.things if not t.stub]
    parts = parts_of(program, subject.owner, subject.owner.name, {}, handed)
    given = dict(text.partition("=")[::2] for text in asked.members)
    bodiless = {s.part.path for s in around.stand_ins.values()}
    kinds = {p.path: "stub" if p.path in bodiless else "code" for p in parts}
    kinds |= {t.name: "stub" for t in plan.things if t.stub}
    members = tuple((path, given.get(path, kind)) for path, kind in kinds.items())
    roots = (*subject.functions, *([subject.init] if subject.init is not None else []))
    used = reachable(around.program, (*roots, *around.program.constructors))
    needs = possible_inputs(around.program, roots, used, subject.shown())
    needs = [n for n in needs if n.owner not in around.answered]
    needs = as_bytes(around.program, needs, names_of_lists(bounds.items(), around.aliases))
    rest = [(n, b) for n, b in bounds.items() if n not in plan.given]
    whole = with_whole_names(rest, needs, subject, around.aliases)
    made = tuple(GuessedBound(name, bound, "" if name in bounds else "a guess") for name, bound in plan.bounds.items())
    found, warnings = _bounds(around.program, needs, whole)
    name = subject.owner.name
    visible = tuple(r.shown.removeprefix(f"{name}.") for f, r in subject.receivers.items() if f in subject.functions)
    thrown = tuple(sorted({n for t in thrown_types(program.variables) if _can_be_thrown(n := thrown_name(t), program)}))
    outside = tuple(around.stand_ins)
    return Guess(name, (name,), init, None, (*made, *found), warnings, (), members, visible, outside, thrown)


def _can_be_thrown(name: str, program: Program) -> bool:
    """Whether a type that the program knows when it runs looks like one of exceptions."""
    if not name.isidentifier():
        return False
    owner = class_called(program, name)
    if owner is None or not is_dynamic(program, owner):
        return True
    return any(b.startswith("std.") for c in (owner, *bases_of(program, owner)) for b in c.bases)


def _bounds(
    program: Program, needs: Sequence[Need], bounds: Mapping[str, str]
) -> tuple[tuple[GuessedBound, ...], tuple[Diagnostic, ...]]:
    """Bounds for all inputs that need one, and what is to be said of those that no bound can be given for."""
    found: list[GuessedBound] = []
    impossible = []
    needs = _by_pointers(program, needs, bounds)
    about = {need: {n: b for n, b in bounds.items() if _is_about(n, need)} for need in needs}
    examples = examples_for((n for n, given in about.items() if not given and _is_open(n, program)), program)
    for need, given in about.items():
        found += [
            GuessedBound(n, b, shown_type(asked_type(program, need)))
            for n, b in given.items()
            if n not in {f.name for f in found}
        ]
        if given or not _is_open(need, program):
            continue
        if (example := examples.get(need.name)) is not None:
            found.append(GuessedBound(need.name, example, f"{shown_type(asked_type(program, need))}: a guess"))
        elif need.required:
            impossible.append((need.name, need.type))
    return tuple(found), tuple(replace(d, severity=Severity.WARNING) for d in describe_missing(impossible))


def _by_pointers(program: Program, needs: Sequence[Need], bounds: Mapping[str, str]) -> list[Need]:
    """The inputs, of which many members of one record that nothing is said of are a single one."""
    return as_bytes(program, needs, many_members(program, [n for n in needs if _is_open(n, program)], bounds).keys())


def _is_about(name: str, need: Need) -> bool:
    """Whether a bound of this name is for an input, for one of its elements, or for what it is part of."""
    if need.kind is InputKind.VOLATILE and need.name.startswith((f"{name}.", f"{name}[")):
        return True
    element = name.startswith(f"{need.name}[") and (need.several or isinstance(need.type, Array))
    return element or name == need.name


def _is_open(need: Need, program: Program) -> bool:
    """Whether an input is worth a bound: it needs one, or without one the model would end where it is used."""
    if need.required:
        return default_values(element_of(need.type), program.enums) is None
    return need.kind in (InputKind.WRITTEN, InputKind.RESULT)


def _entries(program: Program) -> tuple[str, ...]:
    """`main`, or else the functions that no other one calls or points to."""
    if "main" in program.functions:
        return ("main",)
    called = set()
    for function in program.functions.values():
        for node in statements_of(function.blocks):
            if isinstance(node, Call) and isinstance(node.callee, str) and node.callee != function.name:
                called.add(node.callee)
            called.update(n.name for n in nodes_in(node) if isinstance(n, FunctionReference))
    own = [name for name in program.own_functions if name not in program.constructors]
    return tuple(n for n in own if n not in called) or tuple(own)

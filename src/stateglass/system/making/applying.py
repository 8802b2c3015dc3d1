"""A subject that is called by way of text which was made for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from stateglass.program import Enumeration, Program, Unsupported
from stateglass.program.callgraph import statements_of
from stateglass.source import Code, input_error
from stateglass.system.making.plan import Plan
from stateglass.system.making.writing import SELF
from stateglass.system.subjects import Receiver, Subject


def applied(plan: Plan, program: Program, subject: Subject) -> tuple[Program, Subject]:
    """The program, read with what the plan made, and the subject that is called by way of it.

    If something is missing or wrong, what would be made is left aside, so that all else can be looked at.
    """
    if plan.fails:
        return program, _calling(subject, dict.fromkeys((*plan.entries, *plan.left_out), ""))
    enums = dict(program.enums)
    for name, labels in plan.labels.items():
        if name in enums:
            enums[name] = Enumeration(name, tuple((label, n) for n, label in enumerate(labels)))
    for name in plan.named:
        if name in plan.refused:
            message = f"`{name}`, an object of a category, cannot be made: {plan.refused[name]}"
            raise input_error(Code.UNSUPPORTED, message)
    receivers, functions = dict(subject.receivers), dict(program.functions)
    left_out = list(subject.left_out)
    replaced: dict[str, str] = {}
    for name in dict.fromkeys((*plan.entries, *plan.left_out)):
        reason = plan.left_out.get(name) or _unusable(plan, program, name)
        if reason and name == subject.init:
            raise input_error(Code.UNSUPPORTED, f"`{subject.title}` cannot be made: {reason}")
        if reason:
            left_out.append(f"`{receivers[name].shown}` is not called: {reason}")
            replaced[name] = ""
            continue
        called = replaced[name] = plan.entries[name]
        hidden = 1 + next(n for n, p in enumerate(functions[called].parameters) if p.name == SELF)
        receivers[called] = Receiver(receivers[name].variable, receivers[name].shown, hidden=hidden)
        functions[called] = replace(functions[called], span=functions[name].span)
    subject = replace(_calling(subject, replaced), receivers=receivers, left_out=tuple(left_out))
    if not subject.functions and not any(c.process for c in subject.callers):
        message = f"`{subject.title}` has no public function that could be called"
        raise input_error(Code.USAGE, message, help="\n".join(left_out))
    return replace(program, enums=enums, functions=functions), subject


def _calling(subject: Subject, replaced: Mapping[str, str]) -> Subject:
    """The subject with other functions in place of some; empty: they are not called."""

    def instead(names: Iterable[str]) -> tuple[str, ...]:
        return tuple(called for n in names if (called := replaced.get(n, n)))

    return replace(
        subject,
        functions=instead(subject.functions),
        init=replaced.get(subject.init, subject.init) or None if subject.init is not None else None,
        callers=tuple(
            replace(c, functions=instead(c.functions), final_throws=frozenset(instead(c.final_throws)))
            for c in subject.callers
        ),
        callbacks=tuple((key, f) for key, name in subject.callbacks for f in instead([name])),
        public={short: f for short, name in subject.public.items() for f in instead([name])},
    )


def _unusable(plan: Plan, program: Program, method: str) -> str:
    """Why what would be called in place of a member function cannot be; empty: it can."""
    entry = plan.entries.get(method)
    if entry is None:
        return ""
    function = program.functions.get(entry)
    if function is None:
        said = next(iter(plan.refused.values()), "")
        return f"what it takes cannot be made: {plan.refused.get(entry.removeprefix('%'), said)}"
    for statement in statements_of(function.blocks):
        if isinstance(statement, Unsupported):
            return f"not supported: {statement.reason}"
    return ""

"""The code of a thread as rests and stretches whose actions are those of the whole, each one the same in all runs.

A call of an event function with arguments that differ from run to run becomes a silent choice of what is offered, and
behind it one stretch for each event. So a rest says which events a thread offers there, whatever its data is: what it
refuses needs no formula [abstract refusals: Chaki et al., MEMOCODE 2004]. A call that a process answers goes through
the states of that process.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, final

from stateglass.explore.stretches import Flow, Phase, Rest, Shown, Stretch, sliced
from stateglass.graphs.lists import postorder
from stateglass.model import TAU, Action, Verb
from stateglass.smt import Term, Terms
from stateglass.system.fsp.actions import Kind
from stateglass.system.fsp.nodes import Process
from stateglass.system.sharing import LOAD, access_of
from stateglass.system.threads import Thread, Threads
from stateglass.unbounded.threads.alphabets import Wording
from stateglass.unbounded.threads.answering import FAILURE, stepping
from stateglass.unbounded.threads.parts import is_joint

LOST: Final = "unknown code"
"""What a thread does that comes to code which is not known."""


@final
class NotLabelled(Exception):
    """Why the actions of a thread cannot be told for all runs at once."""


@final
@dataclass(frozen=True)
class ThreadFlow:
    """A flow, and what the whole calls each of its stretches."""

    flow: Flow
    labels: tuple[str, ...]  # by stretch
    over: frozenset[int]  # rests in which the whole program has ended
    ended: frozenset[int]  # rests in which the thread has ended
    like: tuple[int, ...]  # by rest: the number of the one that it is a copy of, in the flow without labels


def moved(terms: Terms, term: Term, source: Rest, target: Rest) -> Term:
    """A term over the slots of a rest as one over those of another rest at the same place of the code."""
    found = {(slot.cell, slot.part, slot.absent): slot.term for slot in target.slots}
    slots = {s.term: found[key] for s in source.slots if (key := (s.cell, s.part, s.absent)) in found}
    return terms.substituted(term, slots)


Values = Mapping[str, Sequence[tuple[int, ...]]]
"""By event function: rows of arguments, as numbers, that are told apart."""


@final
@dataclass(frozen=True)
class Telling:
    """What is told apart: rows of arguments of events, and what claims ask for."""

    values: Values
    others: frozenset[str]  # events of which the thread may do others than these
    contested: frozenset[str]  # events of which several threads may do any
    # Whether a claim asks for an action that a thread does alone: its label, and whether its values are known; without
    # them, for a label without arguments.
    asked: Callable[[str, bool], bool]
    alike: frozenset[str]  # events that somebody names and that no whole numbers tell apart from others of the name
    kept: frozenset[int] = frozenset()  # cells that predicates of the user speak of


def thread_flow(flow: Flow, thread: Thread, threads: Threads, wording: Wording, telling: Telling) -> ThreadFlow:
    """A flow with events seen in the words of the whole."""
    return _Labelling(flow, thread, threads, wording, telling).run()


@final
class _Labelling:
    def __init__(
        self,
        flow: Flow,
        thread: Thread,
        threads: Threads,
        wording: Wording,
        telling: Telling,
    ) -> None:
        self._flow = flow
        self._terms = flow.terms
        self._thread = thread
        self._threads = threads
        self._wording = wording
        self._values = telling.values
        self._others = telling.others
        self._contested = telling.contested
        self._asked = telling.asked
        self._alike = telling.alike
        self._kept = telling.kept
        self._rests = list(flow.rests)
        self._like = [rest.number for rest in flow.rests]
        self._valued: set[int] = set()  # ends that have the values of what is before them
        self._stretches: list[Stretch] = []
        self._labels: list[str] = []

    def run(self) -> ThreadFlow:
        for rest in self._flow.rests:
            access = access_of(rest.what) if rest.phase in (Phase.CALLING, Phase.INSIDE) else None
            if rest.phase is Phase.CALLING and (rest.what in self._threads.events or access is not None):
                self._event(rest, access)
            elif access is not None and access[0] == LOAD:
                self._loaded(rest, access[1])
            elif rest.phase is Phase.CALLING and rest.what in self._threads.answers:
                self._answered(rest, self._threads.answers[rest.what])
            elif rest.phase is Phase.INSIDE and rest.what in self._threads.answers:
                continue  # only states of the process lead there
            else:
                for stretch in self._flow.leaving[rest.number]:
                    self._add(stretch, self._own_label(stretch))
        return self._connected()

    def _connected(self) -> ThreadFlow:
        """The flow without rests that nothing leads to, and without what decides nothing."""
        following: list[list[int]] = [[] for _ in self._rests]
        for stretch in self._stretches:
            following[stretch.source].append(stretch.target)
        left = sorted(postorder(following, 0))
        numbers = {old: new for new, old in enumerate(left)}
        kept = [at for at, stretch in enumerate(self._stretches) if stretch.source in numbers]
        stretches = tuple(
            replace(s, number=new, source=numbers[s.source], target=numbers[s.target])
            for new, s in enumerate(self._stretches[at] for at in kept)
        )
        labels = tuple(self._labels[at] for at in kept)
        rests = tuple(replace(self._rests[old], number=new) for old, new in numbers.items())
        over = {rest.number for rest in rests if rest.phase in (Phase.FAILED, Phase.LOST)}
        over |= {s.target for s, label in zip(stretches, labels, strict=True) if label.startswith("exit(")}
        ended = frozenset(rest.number for rest in rests if rest.phase is Phase.OVER)
        watched = [cell for cells in self._flow.names.values() for cell in cells]
        whole = sliced(replace(self._flow, rests=rests, stretches=stretches), {*watched, *self._kept})
        assert len(whole.rests) == len(rests) and len(whole.stretches) == len(stretches)
        like = tuple(self._like[old] for old in left)
        return ThreadFlow(whole, labels, frozenset(over), ended, like)

    def _add(self, stretch: Stretch, label: str) -> None:
        """One more stretch; where code fails after an action, that is a step of its own."""
        if stretch.guard is self._terms.false:
            return
        end = self._end_label(stretch.target)
        if self._flow.names and self._rests[stretch.target].phase.is_end and stretch.target not in self._valued:
            stretch = self._with_values(stretch)
        if end is not None and label == TAU:
            label = end
        elif end is not None and label != end:
            between = self._copy(self._rests[stretch.target])
            self._rests[between.number] = replace(between, phase=Phase.CHANGED)
            self._add(replace(stretch, target=between.number), label)
            self._silent(between, self._rests[stretch.target], self._terms.true, end)
            return
        self._stretches.append(replace(stretch, number=len(self._stretches)))
        self._labels.append(label)

    def _with_values(self, stretch: Stretch) -> Stretch:
        """A stretch to an end that has the values of what is before it: nothing that is watched changes in between."""
        source, end = self._rests[stretch.source], self._rests[stretch.target]
        copy = self._copy(source)
        self._rests[copy.number] = replace(end, number=copy.number, slots=copy.slots)
        self._valued.add(copy.number)
        return replace(stretch, target=copy.number, after=tuple(slot.term for slot in source.slots))

    def _end_label(self, rest: int) -> str | None:
        """What a thread does that comes to a rest where code has failed or is not known."""
        match self._rests[rest].phase:
            case Phase.FAILED:
                return str(Action(Verb.ERROR, self._rests[rest].what))
            case Phase.LOST:
                return LOST
            case _:
                return None

    def _copy(self, rest: Rest) -> Rest:
        """One more rest where code is as at another one."""
        number = len(self._rests)
        slots = tuple(replace(slot, term=self._terms.copy_of(slot.term, number)) for slot in rest.slots)
        copy = replace(rest, number=number, slots=slots)
        self._rests.append(copy)
        self._like.append(self._like[rest.number])
        return copy

    def _silent(self, source: Rest, target: Rest, guard: Term, label: str = TAU) -> None:
        """A stretch between rests with the same slots on which nothing changes."""
        after = tuple(slot.term for slot in source.slots)
        self._add(Stretch(0, source.number, target.number, guard, after), label)

    def _moved(self, stretch: Stretch, source: Rest, *also: Term) -> Stretch:
        """A stretch that begins at the copy of its source, under one more condition."""
        old = self._flow.rests[stretch.source]
        slots = {a.term: b.term for a, b in zip(old.slots, source.slots, strict=True)}
        known: dict[Term, Term] = {}
        action = stretch.action
        if action is not None:
            shown = tuple((self._terms.substituted(t, slots, known), type) for t, type in action.arguments)
            action = replace(action, arguments=shown)
        return replace(
            stretch,
            source=source.number,
            guard=self._terms.substituted(self._terms.both(stretch.guard, *also), slots, known),
            after=tuple(self._terms.substituted(t, slots, known) for t in stretch.after),
            action=action,
        )

    def _end(self, source: Rest, guard: Term, label: str, end: Rest) -> None:
        """A stretch to a rest of its own after which nothing follows."""
        number = len(self._rests)
        self._rests.append(replace(end, number=number))
        self._like.append(self._like[source.number])
        self._add(Stretch(0, source.number, number, guard, ()), label)

    # ---- events

    def _loaded(self, inside: Rest, variable: str) -> None:
        """A shared variable is read: any value that it may hold is one event."""
        for stretch in self._flow.leaving[inside.number]:
            shown = stretch.action
            if shown is None or shown.verb is not Verb.RETURN or not shown.arguments:
                self._add(stretch, self._own_label(stretch))
                continue
            term, type = shown.arguments[0]
            for number in self._wording.results(inside.what):
                label = str(Action(Verb.LOAD, f"::{variable}", (self._wording.text(number, type),)))
                self._add(replace(stretch, guard=self._terms.both(stretch.guard, self._is(term, number))), label)

    def _event(self, rest: Rest, access: tuple[str, str] | None) -> None:
        leaving = self._flow.leaving[rest.number]
        calls = [s for s in leaving if s.action is not None and self._end_label(s.target) is None]
        for stretch in leaving:
            if stretch not in calls:
                self._add(stretch, self._own_label(stretch))
        for stretch in calls:
            assert stretch.action is not None
            if access is not None and access[0] == LOAD:
                self._add(stretch, TAU)
                continue
            label = self._wording.event(stretch.action) if access is None else None
            if label is not None and len(leaving) == 1 and stretch.guard is self._terms.true:
                self._add(stretch, label)
                continue
            cases = self._cases(stretch.action) if access is None else self._stored(stretch.action, access[1])
            for name, guard in [(label, self._terms.true)] if label is not None else cases:
                whole = self._terms.both(stretch.guard, guard)
                if name == LOST:
                    what = f"what is stored is not within the bound of `{rest.what if access is None else access[1]}`"
                    self._end(rest, whole, LOST, replace(rest, phase=Phase.LOST, slots=(), what=what, bound=True))
                    continue
                offered = self._copy(rest)
                self._silent(rest, offered, whole)
                self._add(replace(self._moved(stretch, offered), guard=self._terms.true), name)

    def _cases(self, shown: Shown) -> list[tuple[str, Term]]:
        """The events that a call may be, and when it is which; the last one stands for all others."""
        if shown.name in self._alike:
            words = "has other arguments than whole numbers, which differ from run to run"
            raise NotLabelled(f"`{shown.name}` {words}: which event it is is not known")
        terms = self._terms
        found: list[tuple[str, Term]] = []
        for row in self._values.get(shown.name, ()):
            if len(row) != len(shown.arguments):
                continue
            label = self._wording.row_label(shown, row)
            guard = terms.both(
                *(self._is(term, number) for (term, _), number in zip(shown.arguments, row, strict=True))
            )
            if guard is not terms.false:
                found.append((label, guard))
        rest = terms.negation(terms.either(*(guard for _, guard in found)))
        if rest is not terms.false and shown.name in self._others:
            found.append((other_label(shown.name), rest))
            if shown.name in self._contested:
                # Whoever it is to be done with may have other values.
                found.append((refused_label(shown.name), rest))
        return found

    def _stored(self, shown: Shown, variable: str) -> list[tuple[str, Term]]:
        """What may be stored to a shared variable; what its process cannot hold leads to where nothing is known."""
        term, _ = shown.arguments[0]
        # The thread itself may never read it, so that it is not known from what it reads.
        held = [value for thread in self._threads.threads if thread.name == variable for value in thread.held]
        found = [(str(Action(Verb.STORE, f"::{variable}", (text,))), self._is(term, number)) for text, number in held]
        beyond = self._terms.negation(self._terms.either(*(guard for _, guard in found)))
        return [(label, guard) for label, guard in [*found, (LOST, beyond)] if guard is not self._terms.false]

    # ---- calls that processes answer

    def _answered(self, rest: Rest, process: Process) -> None:
        found = stepping(process)
        for stretch in self._flow.leaving[rest.number]:
            inside = self._flow.rests[stretch.target]
            if stretch.action is None or stretch.action.verb is not Verb.CALL or inside.phase is not Phase.INSIDE:
                self._add(stretch, self._own_label(stretch))
                continue
            copies = [self._copy(inside) for _ in found.states]
            self._add(replace(stretch, target=copies[0].number), TAU)
            for number, steps in enumerate(found.steps):
                here = copies[number]
                if found.states[number].failed:
                    wrong = replace(inside, phase=Phase.FAILED, slots=(), what="process")
                    self._end(here, self._terms.true, FAILURE, wrong)
                for action, target in steps:
                    if action.kind is Kind.RETURN:
                        self._back(inside, here, tuple(map(str, action.values)))
                    else:
                        self._silent(here, copies[target], self._terms.true, str(action))

    def _back(self, inside: Rest, here: Rest, values: tuple[str, ...]) -> None:
        """The process returns, perhaps with a value."""
        for stretch in self._flow.leaving[inside.number]:
            action, also = stretch.action, self._terms.true
            if action is not None and action.verb is Verb.RETURN and action.arguments and values:
                term, _ = action.arguments[0]
                number = self._wording.result(inside.what, values[0])
                also = self._terms.false if number is None else self._is(term, number)
            self._add(self._moved(stretch, here, also), self._own_label(stretch))

    def _is(self, term: Term, number: int) -> Term:
        return self._terms.equal(term, self._terms.constant(number % (1 << term.width), term.width))

    # ---- what a thread does alone

    def _own_label(self, stretch: Stretch) -> str:
        shown = stretch.action
        if self._flow.rests[stretch.source].phase in (Phase.CALLING, Phase.EXITING):
            # What fails there fails before anything is done.
            shown = None if self._end_label(stretch.target) is not None else shown
        if shown is None or is_joint(shown.name, self._threads) or shown.name in self._threads.answers:
            return TAU
        if shown.verb is Verb.CALL and shown.name == self._thread.function:
            return TAU  # a thread is under way from the beginning
        texts = [self._wording.value(term, type) for term, type in shown.arguments]
        known = tuple(text for text in texts if text is not None)
        if shown.verb is Verb.EXIT:
            return str(Action(Verb.EXIT, known[0] if known else "…"))
        name = self._thread.name
        if shown.name != self._thread.function:
            name += "." + shown.name.removeprefix("::")
        if len(known) == len(texts):
            label = str(Action(shown.verb, name, known))
            return label if self._asked(label, True) else TAU
        label = str(Action(shown.verb, name))
        if self._asked(label, False):
            raise NotLabelled(f"`{label}` has values that differ from run to run, and a claim asks for it")
        return TAU


def other_label(name: str) -> str:
    """All events of a name with arguments that are not told apart."""
    return f"{name}(…)"


def refused_label(name: str) -> str:
    """The same where threads that are to do it together have different arguments: it is offered and never done."""
    return f"{name}(≠)"

"""A flow whose stretches are told apart by the events of a claim, and what its atoms are at each rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import assert_never, final

from stateglass.check.events import ERRORS, means_error
from stateglass.check.standing import standing_in
from stateglass.explore.stretches import Flow, Phase, Seen, Stretch, flow_of, sliced
from stateglass.graphs.lists import postorder
from stateglass.logic import temporal
from stateglass.logic.claims import Claim
from stateglass.logic.predicates import Named, Predicate
from stateglass.logic.unrolling import parts_first
from stateglass.logic.vocabulary import Vocabulary, check_words
from stateglass.model import STABLE, Action, Verb
from stateglass.smt import Term
from stateglass.source import Span
from stateglass.system import Argument, Choice, Filled, Fixed, Pointed, System
from stateglass.unbounded.abstraction.seeding import Seed
from stateglass.unbounded.given import Given, Posed, cells_needed, names_of, posed
from stateglass.unbounded.temporal.atoms import Atoms, Words, operands_of
from stateglass.unbounded.temporal.beginning import begun
from stateglass.unbounded.temporal.events import Events, Truths
from stateglass.unbounded.temporal.numbers import NotKnown
from stateglass.work import Progress


@final
@dataclass(frozen=True)
class Asked:
    """A flow for one formula.

    `atoms` has, for each rest and phase of a state with its values, a condition for each predicate. Ends have no
    values of their own: they have those of the rest before them, since no value that is watched changes in between.
    """

    flow: Flow
    predicates: tuple[Predicate, ...]
    patterns: tuple[str, ...]
    atoms: dict[tuple[int, Phase], tuple[Term, ...]]
    truths: tuple[Truths, ...]  # for each stretch: which patterns mean it
    silent: Truths
    errors: dict[str, Truths]  # by kind
    begins_before: bool  # the first rest is a state of its own
    watch: frozenset[str]  # variables of which every value is seen
    posed: tuple[Posed, ...] = ()  # predicates of the user

    @property
    def seeds(self) -> list[Seed]:
        """What is to be known in every state."""
        states = [(at, terms) for at, terms in self.atoms.items() if self.begins_before or at[1] is not Phase.START]
        own = [(rest, term) for (rest, _), terms in states for term in terms]
        return [*own, *(posed.seed for posed in self.posed)]


def asked_of(
    claim: Claim,
    formula: temporal.Formula,
    system: System,
    progress: Progress,
    given: Sequence[Given] = (),
    seconds: float | None = None,
) -> Asked:
    """All that a claim asks about; `NotKnown` if it asks for what is not translated, `OutOfTime` as for a flow."""
    places: dict[int, tuple[Predicate, Span]] = {}
    patterns: dict[str, None] = {}
    for node in parts_first(formula, temporal.parts):
        match node:
            case temporal.Holds(predicate, span):
                places.setdefault(id(predicate), (predicate, span))
            case temporal.Happens(pattern):
                patterns[pattern] = None
            case temporal.Turns() | temporal.Quantified():
                raise NotKnown("it is about more than single runs")
            case _:
                pass
    words = Words(system)
    check_words([claim], Vocabulary(frozenset(), words.names, lambda pattern: True, ERRORS))
    predicates = [predicate for predicate, _ in places.values()]
    watch = _names(predicates) & words.types.keys()
    _refuse_given(watch, system)
    flow = flow_of(system, Seen(events=True, watch=frozenset(watch), named=names_of(given)), progress, seconds)
    flow, begins_before = begun(flow, system)
    events = Events(tuple(patterns), system, flow.terms, words)
    flow, truths = _split(flow, events)
    _refuse_unknown_events(claim, flow, events, truths, words, standing_in(system))
    flow = sliced(flow, {cell for cells in flow.names.values() for cell in cells} | cells_needed(flow, given))
    assert len(flow.stretches) == len(truths)
    atoms = _atoms(flow, Atoms(flow, words), list(places.values()))
    kinds = {rest.what for rest in flow.of_phase(Phase.FAILED)}
    errors = {kind: events.of_label(str(Action(Verb.ERROR, kind))) for kind in sorted(kinds)}
    return Asked(
        flow,
        tuple(predicates),
        tuple(patterns),
        atoms,
        truths,
        events.silent,
        errors,
        begins_before,
        frozenset(watch),
        tuple(posed(flow, given, Words(system, inner=True))) if given else (),
    )


def _refuse_unknown_events(
    claim: Claim,
    flow: Flow,
    events: Events,
    truths: Sequence[Truths],
    words: Words,
    stands: Callable[[str], bool],
) -> None:
    """An event that no step of the code can be is a mistake of whoever wrote the claim, unless it stands there."""
    met = {p for n, p in enumerate(events.patterns) if any(of_stretch[n] is not False for of_stretch in truths)}
    shown = {s.action for s in flow.stretches if s.action is not None}
    labels = {str(Action(a.verb, a.name, ("*",) if a.arguments else ())) for a in shown if a.verb is not Verb.EXIT}
    known = Vocabulary(frozenset(labels), words.names, lambda p: p in met or means_error(p) or stands(p), ERRORS)
    check_words([claim], known)


def _names(predicates: Sequence[Predicate]) -> set[str]:
    nodes = [node for predicate in predicates for node in parts_first(predicate, operands_of)]
    return {node.name for node in nodes if isinstance(node, Named)} - {STABLE}


def _refuse_given(watch: set[str], system: System) -> None:
    """What a pointer of a call leads to gets its value with the call, which no rest shows."""
    entries = (*system.entries, *(() if system.init is None else (system.init,)))
    given = tuple(name for entry in entries for argument in entry.arguments for name in _set_by(argument))
    for name in sorted(watch):
        if name.startswith(given) and any(name.removeprefix(g)[:1] in ("", ".", "[") for g in given if g in name):
            raise NotKnown(f"`{name}` is what a call is given")


def _set_by(argument: Argument) -> tuple[str, ...]:
    """The objects that get their values with a call, from an argument of it."""
    match argument:
        case Filled(_, objects):
            return objects
        case Pointed(variable, content):
            return (variable,) if content is not None or argument.left else ()
        case Choice() | Fixed():
            return ()
        case _:
            assert_never(argument)


def _split(flow: Flow, events: Events) -> tuple[Flow, tuple[Truths, ...]]:
    """Stretches that events tell apart, without those that nothing leads to."""
    terms, stretches, truths = flow.terms, list[Stretch](), list[Truths]()
    for stretch in flow.stretches:
        for kind in events.kinds(stretch.action):
            guard = terms.both(stretch.guard, kind.when)
            if guard is not terms.false:
                stretches.append(replace(stretch, number=len(stretches), guard=guard))
                truths.append(kind.truths)
    split = replace(flow, stretches=tuple(stretches))
    left = set(postorder([[s.target for s in split.leaving[rest.number]] for rest in flow.rests], 0))
    return split, tuple(truth for s, truth in zip(stretches, truths, strict=True) if s.source in left)


def _atoms(
    flow: Flow, atoms: Atoms, places: Sequence[tuple[Predicate, Span]]
) -> dict[tuple[int, Phase], tuple[Term, ...]]:
    found: dict[tuple[int, Phase], tuple[Term, ...]] = {}
    for rest in flow.rests:
        if rest.phase.is_end:
            continue
        ends = {flow.rests[s.target].phase for s in flow.leaving[rest.number]} & {Phase.FAILED, Phase.OVER, Phase.LOST}
        for phase in (rest.phase, *sorted(ends, key=lambda phase: phase.value)):
            found[rest.number, phase] = tuple(atoms.condition(p, rest, phase, span) for p, span in places)
    return found

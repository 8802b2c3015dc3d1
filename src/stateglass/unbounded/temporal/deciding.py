"""Decides a linear claim on code with unbounded data: abstract runs that violate it are refuted or found to be real.

Counterexample-guided refinement for claims over states and events [Chaki, Clarke, Ouaknine, Sharygina, Sinha:
State/Event-based software model checking, 2004]. That the claim holds is shown by an abstraction that was explored
completely; a run that violates it ends, or comes back to values that it had before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, final

from stateglass.check.events import matcher
from stateglass.check.ltl import decide_ltl
from stateglass.check.stuttering import is_stutter_invariant
from stateglass.evidence import Answer, Path, Reason, Step, Verdict
from stateglass.explore import Manner
from stateglass.explore.stretches import NoFlow, Phase
from stateglass.graphs.arrays import way
from stateglass.logic import temporal
from stateglass.logic.claims import Claim, Language
from stateglass.model import NO_RUN, Model
from stateglass.smt import Term, Unanswered
from stateglass.system import System, leaves_out
from stateglass.unbounded.abstraction.abstracting import STATE, Abstraction
from stateglass.unbounded.abstraction.predicates import State
from stateglass.unbounded.abstraction.refining import Refined, Refiner, Stuck
from stateglass.unbounded.abstraction.seeding import seeded
from stateglass.unbounded.given import Given
from stateglass.unbounded.results import GivenUp, Walk
from stateglass.unbounded.temporal.confirming import Confirming
from stateglass.unbounded.temporal.continuing import Continuing
from stateglass.unbounded.temporal.falling import Falling, Place
from stateglass.unbounded.temporal.modelling import Modelled, Modelling, Node, TooManyStates
from stateglass.unbounded.temporal.numbers import NotKnown
from stateglass.unbounded.temporal.ranking import told
from stateglass.unbounded.temporal.rechecking import problem_of
from stateglass.unbounded.temporal.results import Decided
from stateglass.unbounded.temporal.runs import AbstractRun, row_of, run_along, violating_beginning, wanted_of
from stateglass.unbounded.temporal.sampling import sampled_violation
from stateglass.unbounded.temporal.split import Asked, asked_of
from stateglass.unbounded.temporal.spreading import Spreading
from stateglass.unbounded.time import Deadline
from stateglass.unbounded.walks.choices import Chooses, done_on
from stateglass.unbounded.walks.paths import Infeasible, row_walk, same
from stateglass.unbounded.walks.shortening import simplified
from stateglass.work import OutOfTime, Progress

ENGINE: Final = "predicate"
MOST_ROUNDS: Final = 6
"""So often the repeated part of a run is gone to see whether it can be."""
MANY_ROUNDS: Final = 300
"""So often it is executed with the same inputs."""
MOST_SECONDS: Final = 5.0
"""That costs little, if values do not lead to a loop that goes on and on."""
CLOSING_ROUNDS: Final = 3
"""After so many rounds, values are to be what they were before."""
SAMPLING_ROUND: Final = 4
"""After so many rounds runs with some values of inputs are looked at: they go far where refining goes step by step."""


def decide(
    system: System, claim: Claim, time: Deadline, manner: Manner, progress: Progress, given: Sequence[Given] = ()
) -> Decided | GivenUp:
    """The answer to a linear claim, or why there is none; `given` are predicates of the user."""
    formula = claim.content
    if not _is_linear(claim) or not isinstance(formula, temporal.Formula):
        return GivenUp(Reason.UNSUPPORTED, "only claims about all runs are decided where data is not bounded", ENGINE)
    if claim.fairness:
        return GivenUp(Reason.UNSUPPORTED, "fairness is not known where data is not bounded", ENGINE)
    if claim.language is not Language.ENGLISH and not is_stutter_invariant(formula, lambda p, text: matcher(p)(text)):
        return GivenUp(Reason.UNSUPPORTED, "it depends on how many silent steps there are", ENGINE)
    try:
        asked = asked_of(claim, formula, system, progress, given, time.left())
    except (NoFlow, NotKnown) as problem:
        return GivenUp(Reason.UNSUPPORTED, str(problem), ENGINE)
    except OutOfTime:
        return GivenUp(Reason.TIMEOUT, "it was over before all code was read", ENGINE)
    return _Loop(system, claim, formula, asked, time, manner, progress).run()


def _is_linear(claim: Claim) -> bool:
    return claim.language in (Language.LTL, Language.ENGLISH)


@final
class _Loop:
    """The loop, and how far it came."""

    def __init__(
        self,
        system: System,
        claim: Claim,
        formula: temporal.Formula,
        asked: Asked,
        time: Deadline,
        manner: Manner,
        progress: Progress,
    ) -> None:
        self._system = system
        self._manner = manner
        self._claim = claim
        self._formula = formula
        self._asked = asked
        self._flow = asked.flow
        self._time = time
        self._progress = progress
        self._confirming = Confirming(system, asked, claim, manner, progress)
        self._abstraction = Abstraction(asked.flow, seeded(asked.flow, asked.seeds), time)
        self._refiner = Refiner(self._abstraction, time)
        self._spreading = Spreading(asked.flow)
        self._continuing = Continuing(asked.flow, time, drops=leaves_out(system))
        self._falling = Falling(asked.flow, time)
        self._modelling = Modelling(asked, self._abstraction, system, self._falling)
        self._rounds = 0
        self._candidate: Walk | None = None
        self._modelled: Modelled | None = None

    def run(self) -> Decided | GivenUp:
        try:
            while not self._time.is_over():
                self._rounds += 1
                found = self._round() or (self._sampled() if self._rounds == SAMPLING_ROUND else None)
                if found is not None:
                    return found
        except OutOfTime:
            pass
        except Unanswered:
            return self._given_up(Reason.SOLVER, "the solver does not know an answer")
        except TooManyStates:
            return self._given_up(Reason.BOUND, "the abstraction has too many states")
        return self._given_up(Reason.TIMEOUT, "no time is left")

    def _round(self) -> Decided | GivenUp | None:
        """One abstraction: None if it was refined."""
        modelled = self._modelled = self._modelling.model(self._progress, self._rounds)
        self._time.spend(STATE * len(modelled.nodes))
        held: list[Answer] = []
        for model in modelled.beginnings():
            answer = decide_ltl(
                self._formula,
                (),
                model,
                title=self._claim.title,
                progress=self._progress,
                meaning=modelled.meaning,
                known=self._falling.assumption,
            )
            if answer.verdict is Verdict.INCONCLUSIVE:
                return self._undecided(answer, modelled, model)
            held.append(answer)
        if not held:
            return self._given_up(Reason.PARTIAL, NO_RUN)
        # What one beginning says nothing of, another one may be about.
        said = next((answer for answer in held if answer.verdict is Verdict.HOLDS), held[0])
        return self._held(said, modelled)

    def _undecided(self, answer: Answer, modelled: Modelled, model: Model) -> Decided | GivenUp | None:
        """What comes of a run that may violate the claim."""
        first = self._first()
        if isinstance(answer.evidence, Path):
            return self._examined(run_along(answer.evidence, modelled, first))
        if answer.reason is Reason.PARTIAL:
            return self._examined(run_along(_way_to_lost(model), modelled, first))
        return self._given_up(answer.reason or Reason.ABSTRACTION, answer.explanation)

    def _first(self) -> tuple[Node, int] | None:
        if self._asked.begins_before:
            return None
        (stretch,) = self._flow.leaving[0]
        return Node(State(0, ()), ()), stretch.number

    def _held(self, answer: Answer, modelled: Modelled) -> Decided | GivenUp:
        problem = problem_of(self._asked, modelled, self._abstraction.predicates, self._time)
        if problem:
            return self._given_up(Reason.SOLVER, problem)
        condition, leaving = self._abstraction.condition, self._flow.leaving
        states = dict.fromkeys(node.state for node in modelled.nodes)
        if not self._falling.is_right((condition(state), s) for state in states for s in leaving[state.rest]):
            if self._time.is_over():
                raise OutOfTime
            return self._given_up(Reason.SOLVER, "why a loop ends was not confirmed")
        words = f"{answer.explanation} {told(self._falling.measures, self._flow)}".strip()
        return self._decided(replace(answer, explanation=words), modelled.model)

    # ---- runs of the abstraction

    def _examined(self, run: AbstractRun) -> Decided | GivenUp | None:
        """Whether a run that violates the claim, or comes to code that is not modelled, is real; None: it is not."""
        self._candidate = Walk(run.stretches, (), ENGINE)
        if self._flow.rests[run.nodes[-1].rest].phase is Phase.LOST:
            return self._finite(run)
        beginning = violating_beginning(self._formula, run, self._asked)
        if beginning is not None:
            for longer in run.beginnings(len(beginning.stretches)):
                if self._continuing.is_sure(longer.nodes[-1].rest):
                    return self._finite(longer)
        return self._finite(run) if run.loop is None else self._repeated(run)

    def _finite(self, run: AbstractRun) -> Decided | GivenUp | None:
        row, facts = row_of(run, self._asked)
        walk = row_walk(self._flow, row, facts, self._time, ENGINE)
        if walk is None:
            raise OutOfTime
        if isinstance(walk, Infeasible):
            return self._refined(run)
        self._candidate = walk
        last = self._flow.rests[run.nodes[-1].rest]
        if last.phase is Phase.LOST:
            reason = Reason.BOUND if last.bound else Reason.UNSUPPORTED
            return self._given_up(reason, f"{last.what} ({last.span})")
        return self._real(walk, facts, "a run that violates the claim on the abstraction")

    def _repeated(self, run: AbstractRun) -> Decided | GivenUp | None:
        """A run that is to go on for ever."""
        assert run.loop is not None
        once: tuple[Walk, Sequence[Term]] | None = None
        for rounds in range(1, MOST_ROUNDS + 1):
            finite = run.rounds(rounds)
            row, facts = row_of(finite, self._asked)
            found = row_walk(self._flow, row, facts, self._time, ENGINE)
            if found is None:
                raise OutOfTime
            if isinstance(found, Infeasible):
                return self._refined(finite)
            self._candidate = found
            for earlier in reversed(range(rounds if rounds <= CLOSING_ROUNDS else 0)):
                again = run.loop + earlier * (len(run.stretches) - run.loop)
                before = row.steps[again].slots
                closing = [same(self._flow.terms, a, b) for a, b in zip(before, row.slots, strict=True)]
                closed = row_walk(self._flow, row, [*facts, *closing], self._time, ENGINE)
                if isinstance(closed, Walk):
                    self._candidate = closed
                    return self._real(closed, [*facts, *closing], "a run that comes back", loop=again)
            if rounds == 1:
                if self._falling.finds(self._places(run)):
                    return None
                once = found, facts
        assert once is not None
        sampled = self._came_round(*once, run.loop) or self._sampled()
        if sampled is not None or self._told_apart(run):
            return sampled
        why = f"a run that violates the claim can go {MOST_ROUNDS} times through a loop; whether for ever is not known"
        return self._given_up(Reason.ABSTRACTION, why)

    def _came_round(self, walk: Walk, facts: Sequence[Term], loop: int) -> Decided | None:
        """A run that does the same in each round until it is where it was before: a byte that counts comes round."""
        stretches = [self._flow.stretches[number] for number in walk.stretches[loop:]]
        if not any(stretch.action is not None or stretch.chosen for stretch in stretches):
            return None  # rounds in which nothing happens are not told apart
        again, seconds = simplified(self._flow, walk, self._time, facts), min(MOST_SECONDS, self._time.left())
        found = self._confirming.run_on(again, loop, MANY_ROUNDS, seconds)
        return None if isinstance(found, str) else self._decided(*found, walk=again)

    def _places(self, run: AbstractRun) -> list[Place]:
        """The states and stretches of the repeated part of a run."""
        assert run.loop is not None
        loop = dict.fromkeys(zip(run.states[run.loop : -1], run.stretches[run.loop :], strict=True))
        return [(self._abstraction.condition(state), self._flow.stretches[number]) for state, number in loop]

    def _told_apart(self, run: AbstractRun) -> bool:
        """Whether the states of a loop are told apart now by what would let it end."""
        before = after = self._abstraction.predicates
        for rest, condition in self._falling.questions(self._places(run)):
            after = after.with_more(rest, condition)
        self._abstraction.refine(self._spreading.spread(before, after))
        return after is not before

    def _refined(self, run: AbstractRun) -> GivenUp | None:
        before = self._abstraction.predicates
        match self._refiner.refine(run.states, run.stretches, wanted_of(run, self._asked)):
            case Refined():
                self._abstraction.refine(self._spreading.spread(before, self._abstraction.predicates))
                return None
            case Walk():
                raise AssertionError("a run is said to exist that was said not to")
            case Stuck(reason, why):
                return self._given_up(reason, why)

    # ---- what comes of it

    def _real(self, walk: Walk, facts: Sequence[Term], what: str, *, loop: int | None = None) -> Decided | GivenUp:
        """The answer by a walk for which some facts hold."""
        found: tuple[Answer, Model] | str = ""
        for easier in (True, False):
            self._candidate = walk if not easier else simplified(self._flow, walk, self._time, facts)
            found = self._confirming.run(self._candidate, loop=loop)
            if not isinstance(found, str):
                return self._decided(*found, walk=self._candidate)
        return self._sampled() or self._given_up(Reason.ABSTRACTION, f"{what} could not be confirmed: {found}")

    def _sampled(self) -> Decided | None:
        """A violation by another run, with values that the last one had."""
        walk = self._candidate
        values = [] if walk is None or not walk.values else [d for some in done_on(self._flow, walk) for d in some]
        chosen = [done.value for done in values if isinstance(done, Chooses)]
        manner = self._manner.watching(self._asked.watch)
        found = sampled_violation(self._system, self._claim, chosen, manner, self._time.left(), self._progress)
        return None if found is None else self._decided(*found)

    def _decided(self, answer: Answer, model: Model, walk: Walk | None = None) -> Decided:
        predicates = self._abstraction.predicates
        return Decided(
            self._claim,
            answer,
            model,
            self._asked.watch,
            self._rounds,
            len(predicates),
            len(self._modelled.nodes) if self._modelled is not None else 0,
            tuple((rest, tuple(asked)) for rest in self._flow.rests if (asked := predicates.asked(rest.number))),
            self._asked.posed,
            None if walk is None else (self._flow, walk),
        )

    def _given_up(self, reason: Reason, why: str) -> GivenUp:
        return GivenUp(reason, why, ENGINE, self._rounds, len(self._abstraction.predicates), self._candidate)


def _way_to_lost(model: Model) -> Path:
    """A shortest run of the model to code that is not modelled."""
    assert model.unexplored is not None
    edges = way(model.first, model.targets, model.initial, model.unexplored[model.targets])
    steps = (Step(int(model.sources[e]), int(model.targets[e]), model.labels[model.actions[e]]) for e in edges)
    return Path(model.initial, tuple(steps))

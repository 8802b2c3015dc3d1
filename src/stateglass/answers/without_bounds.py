"""Answers to claims on code where not every state is looked at: by invariants, by long runs, by abstractions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, final

from stateglass.answers.confirming import Checked, decided_on
from stateglass.answers.how import How, Stopped
from stateglass.evidence import Answer, Decided, Path, Reason, Support, Verdict
from stateglass.explore import Manner
from stateglass.explore.stepwise import Failure
from stateglass.explore.stretches import Flow, NoFlow, Phase, Seen, flow_of, sliced
from stateglass.logic.claims import BuiltIn, Claim
from stateglass.model import Model
from stateglass.source import Topic, as_sentence, counted
from stateglass.system import System
from stateglass.unbounded.given import Posed, cells_needed, names_of, posed
from stateglass.unbounded.reachability.attempts import attempts_of
from stateglass.unbounded.reachability.deciding import Proved, Reached, Tried, decide, telling
from stateglass.unbounded.results import GivenUp, Proof, Walk
from stateglass.unbounded.telling import asked_texts, given_texts, invariant_texts, place_of
from stateglass.unbounded.temporal.atoms import Words
from stateglass.unbounded.temporal.deciding import ENGINE
from stateglass.unbounded.temporal.deciding import decide as decide_linear
from stateglass.unbounded.time import Deadline
from stateglass.unbounded.walks.executing import executed
from stateglass.work import OutOfTime, Progress
from stateglass.work.in_time import in_time

MOST_PLACES: Final = 6
"""So many places of a run that was not refuted are told."""


@final
class WithoutBounds:
    """Decides claims on one system; its code becomes formulas once."""

    def __init__(self, system: System, manner: Manner, how: How, model: Model, progress: Progress) -> None:
        """`model`: what is known of the system so far, which answers without a run of their own belong to."""
        self._system = system
        self._manner = manner
        self._how = how
        self._model = replace(model, origin=replace(model.origin, partial=()))
        self._progress = progress
        self._flow: Flow | None = None

    def answer(self, claim: Claim, time: Deadline) -> Checked:
        tried = Tried()
        try:
            self._progress("deciding")
            if time.left() <= 0:
                raise OutOfTime
            decided = self._no_error if claim.content is BuiltIn.NO_ERROR else self._linear
            return in_time(time.late(), decided, claim, time, tried)
        except OutOfTime:
            why = tried.text() or "it was over before all code was read"
            return self._unknown(claim, GivenUp(Reason.TIMEOUT, why, "", candidate=tried.candidate), self._flow)
        except NoFlow as error:
            return self._unknown(claim, GivenUp(Reason.UNSUPPORTED, str(error), ""))
        except KeyboardInterrupt:
            why = tried.text() or "no engine had begun"
            stopped = GivenUp(Reason.TIMEOUT, why, "", candidate=tried.candidate)
            raise Stopped(self._unknown(claim, stopped, self._flow, word="it was interrupted")) from None

    # ---- no-error

    def _no_error(self, claim: Claim, time: Deadline, tried: Tried) -> Checked:
        flow = self._flow = self._flow or self._whole_flow(time)
        asked = self._posed(flow)
        attempts = attempts_of(self._how.engine, [one.seed for one in asked])
        found = decide(flow, attempts, lambda walk: self._followed(claim, flow, walk), time, self._progress, tried)
        match found:
            case Proved(proof):
                answer = self._proved(claim, flow, proof)
                return Checked(claim, self._with_given(answer, asked), self._model)
            case Reached(walk, checked):
                decided = replace(self._decided(walk.engine, walk.rounds, walk.predicates), depth=len(walk.stretches))
                answer = self._with_given(replace(checked.answer, decided=decided), asked)
                return replace(checked, answer=answer)
            case GivenUp():
                return self._unknown(claim, found, flow)

    def _whole_flow(self, time: Deadline) -> Flow:
        """The code as formulas, with all that predicates of the user speak of."""
        given = self._how.given
        flow = flow_of(self._system, Seen(named=names_of(given)), self._progress, time.left())
        return sliced(flow, cells_needed(flow, given))

    def _posed(self, flow: Flow) -> list[Posed]:
        given = self._how.given
        return posed(flow, given, Words(self._system, inner=True)) if given else []

    def _with_given(self, answer: Answer, asked: Sequence[Posed]) -> Answer:
        """The answer with the predicates of the user, if who decided has asked them."""
        if answer.decided is None or answer.decided.engine != ENGINE:
            return answer
        return replace(answer, decided=replace(answer.decided, given=given_texts(self._how.given, asked)))

    def _proved(self, claim: Claim, flow: Flow, proof: Proof) -> Answer:
        texts = invariant_texts(flow, proof.invariant, self._system.program.enums)
        decided = self._decided(proof.engine, proof.rounds, proof.predicates, texts)
        if proof.depth:
            decided = replace(decided, rounds=0, depth=proof.depth)
        assumptions = self._system.assumptions
        left_out = [a.text for a in assumptions if a.kind is Topic.LEFT_OUT]
        if left_out:
            words = f"No error was found, but {left_out[0]}: try --ub error."
            return Answer(claim.title, Verdict.INCONCLUSIVE, Reason.PARTIAL, words, decided=decided)
        narrowed = dict.fromkeys(f"; {a.text}" for a in assumptions if a.kind is Topic.ERRORS)
        words = f"No error can be reached{''.join(narrowed)}.{_by_length(proof)}"
        spans = tuple(rest.span for rest in flow.of_phase(Phase.LOOP))
        return Answer(claim.title, Verdict.HOLDS, None, words, Support(0, spans), ("solver",), decided)

    def _followed(self, claim: Claim, flow: Flow, walk: Walk) -> Checked | str:
        """The answer by a run of the reference semantics along a walk; or why there is none."""
        done = executed(self._system, flow, walk, self._manner)
        if isinstance(done, Failure):
            if not done.is_sure:
                raise OutOfTime
            return f"after {counted(done.followed, 'step')}, {done.reason}"
        answer, run = decided_on(claim, done.run, done.retracing, self._model, self._progress)
        if answer.verdict is not Verdict.VIOLATED:
            return "the run that was executed violates nothing"
        return Checked(claim, answer, run, asked=self._model)

    # ---- linear claims

    def _linear(self, claim: Claim, time: Deadline, tried: Tried) -> Checked:
        tell = telling(tried, ENGINE, self._progress)
        found = decide_linear(self._system, claim, time, self._manner, tell, self._how.given)
        if isinstance(found, GivenUp):
            return self._unknown(claim, found)
        decided = self._decided(ENGINE, found.rounds, found.predicates)
        if found.answer.verdict is not Verdict.VIOLATED:
            texts = asked_texts(found.found, self._system.program.enums, found.posed)
            answer = replace(found.answer, decided=replace(decided, told_apart=texts), confirmed_by=("solver",))
            answer = self._with_given(answer, found.posed)
            return Checked(claim, answer, found.model, found.watch, asked=self._model)
        path = found.answer.evidence
        assert isinstance(path, Path)
        if found.walk is not None:
            _, walk = found.walk
            decided = replace(decided, depth=len(walk.stretches))
        answer = self._with_given(replace(found.answer, decided=decided), found.posed)
        return Checked(claim, answer, found.model, found.watch, self._model)

    # ---- answers

    def _decided(self, engine: str, rounds: int, predicates: int, invariant: Sequence[tuple[str, str]] = ()) -> Decided:
        integers, begins_with = self._system.undefined.fits, tuple(b.choice.name for b in self._system.beginnings)
        found = Decided(engine, tuple(invariant), predicates=predicates, rounds=rounds)
        return replace(found, integers=integers, begins_with=begins_with)

    def _unknown(self, claim: Claim, found: GivenUp, flow: Flow | None = None, word: str = "") -> Checked:
        """`flow`: the one that the last candidate is a walk through; `word`: in place of the reason."""
        words = [word or _REASONS.get(found.reason, ""), found.why]
        if found.candidate is not None and flow is not None:
            words.append(_described(found.candidate, flow))
        text = " ".join(as_sentence(part) for part in words if part)
        decided = self._decided(found.engine, found.rounds, found.predicates)
        answer = Answer(claim.title, Verdict.INCONCLUSIVE, found.reason, text, decided=decided)
        return Checked(claim, answer, self._model)


_REASONS: Final = {
    Reason.TIMEOUT: "there was not enough time (--timeout)",
    Reason.SOLVER: "no engine found an answer",
}


def _by_length(proof: Proof) -> str:
    """What a proof without an invariant rests on, in a sentence."""
    if not proof.depth:
        return ""
    many = counted(proof.depth, "piece")
    if proof.is_over:
        return f" Every run is over after {many} of code without a loop."
    return f" None is within {many} of code from the start, nor after just as many from anywhere."


def _described(walk: Walk, flow: Flow) -> str:
    """A run that may be one of the code, by the places it goes through."""
    places = [place_of(flow.rests[flow.stretches[n].target]) for n in walk.stretches]
    shown = list(dict.fromkeys(places))
    more = f" and {len(shown) - MOST_PLACES:,} more" if len(shown) > MOST_PLACES else ""
    last = f", to {places[-1]}" if places else ""
    return f"the last run that was not refuted goes by {', '.join(shown[:MOST_PLACES])}{more}{last}"

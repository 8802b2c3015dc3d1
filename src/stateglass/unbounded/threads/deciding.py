"""Claims on threads whose data is not bounded: proved on abstract models, or violated by runs of the code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, assert_never, final

from stateglass.check.deciding import decide
from stateglass.check.events import matcher
from stateglass.check.ltl import decide_ltl
from stateglass.check.stuttering import is_stutter_invariant
from stateglass.evidence import Answer, Path, Reason, Support, Verdict
from stateglass.evidence import claims as evidence
from stateglass.explore import Manner
from stateglass.explore.stepwise import Failure
from stateglass.explore.stretches import NoFlow, Phase
from stateglass.logic import temporal
from stateglass.logic.claims import BuiltIn, Claim, Conforms, Language
from stateglass.logic.unrolling import parts_first
from stateglass.model import Model, Origin, is_error, parsed
from stateglass.system import System, leaves_out
from stateglass.system.threads import Threads
from stateglass.unbounded.engines import Engine
from stateglass.unbounded.given import Posed
from stateglass.unbounded.results import Walk
from stateglass.unbounded.telling import given_texts
from stateglass.unbounded.temporal.numbers import NotKnown
from stateglass.unbounded.temporal.ranking import told
from stateglass.unbounded.threads.abstract import AbstractThread
from stateglass.unbounded.threads.asking import Asking
from stateglass.unbounded.threads.beginnings import violating_beginning
from stateglass.unbounded.threads.composing import Composition, aliases_for, known_values, may_do, may_know
from stateglass.unbounded.threads.conforming import FOLLOWED, conforms
from stateglass.unbounded.threads.executing import run_model, vague_events
from stateglass.unbounded.threads.flows import NotLabelled
from stateglass.unbounded.threads.given import GivenBy, posed_for
from stateglass.unbounded.threads.joining import Interest
from stateglass.unbounded.threads.meeting import together
from stateglass.unbounded.threads.parts import Team, access_label, accessed, team_of
from stateglass.unbounded.threads.preparing import Prepared, prepared
from stateglass.unbounded.threads.refining import Abandoned, Effort, Found, Loop, Proved
from stateglass.unbounded.threads.using import with_own_values
from stateglass.unbounded.threads.wholes import Whole
from stateglass.unbounded.time import Deadline
from stateglass.unbounded.walks.executing import executed, executed_again
from stateglass.work import OutOfTime, Progress

READING: Final = "no time is left for the code of the threads, which is read from rest to rest"
MOST_TOLD: Final = 24
"""So many rows of arguments are told apart because runs have them."""
MOST_TOGETHER: Final = 1_000_000
"""So many states abstract models have at most together."""


@final
@dataclass(frozen=True)
class Decided:
    """An answer, and the composition that its evidence is a run of."""

    answer: Answer
    composition: Composition | None = None
    asked: Model | None = None  # the largest of the abstract models


@final
class Interrupted(Exception):
    """Somebody did not want to wait for an answer: how far it came."""

    def __init__(self, decided: Decided) -> None:
        super().__init__()
        self.decided = decided


def decide_threads(
    claim: Claim,
    threads: Threads,
    systems: Sequence[System | None],
    meant: Model | None,
    manner: Manner,
    time: Deadline,
    progress: Progress,
    given: GivenBy | None = None,
) -> Decided:
    """The answer to a claim, whatever values inputs have; `meant` is what threads are to conform to, if they are, and
    `given` are predicates of the user."""
    problem = _undecidable(claim, systems)
    if problem:
        return Decided(Answer(claim.title, Verdict.INCONCLUSIVE, Reason.UNSUPPORTED, problem))
    deciding: _Deciding | None = None
    try:
        deciding = _Deciding(claim, threads, systems, meant, manner, time, progress, given or {})
        return deciding.run()
    except (NoFlow, NotLabelled, NotKnown) as reason:
        return Decided(Answer(claim.title, Verdict.INCONCLUSIVE, Reason.UNSUPPORTED, str(reason)))
    except OutOfTime:
        return _so_far(claim, deciding, "no time is left", READING)
    except KeyboardInterrupt:
        words = "It was interrupted"
        raise Interrupted(_so_far(claim, deciding, words, f"{words} before code was read.")) from None


def _so_far(claim: Claim, deciding: _Deciding | None, why: str, not_yet: str) -> Decided:
    """How far it came; `not_yet` are the words if nothing was looked at."""
    found = None if deciding is None else deciding.so_far(why)
    return found or Decided(Answer(claim.title, Verdict.INCONCLUSIVE, Reason.TIMEOUT, not_yet))


def not_counted(claim: Claim, systems: Iterable[System | None]) -> str:
    """Why a claim is not decided where a thread may drop runs of all; empty if it may be: an error comes before."""
    if claim.content is BuiltIn.NO_ERROR or not any(s is not None and leaves_out(s) for s in systems):
        return ""
    return "runs are left out by assumptions in the code, so that it is not known which ones go on"


def _undecidable(claim: Claim, systems: Sequence[System | None]) -> str:
    """Why abstraction has no answer to a claim; empty if it may have one."""
    if claim.content is BuiltIn.NO_ERROR:
        return ""
    if problem := not_counted(claim, systems):
        return problem
    if claim.content is BuiltIn.NO_DEADLOCK or isinstance(claim.content, Conforms):
        return ""
    if claim.language not in (Language.LTL, Language.ENGLISH) or not isinstance(claim.content, temporal.Formula):
        return "only no-error, no-deadlock and claims about all runs are decided where data is not bounded"
    if claim.language is Language.LTL and not is_stutter_invariant(claim.content, lambda p, text: matcher(p)(text)):
        return "it depends on how many silent steps there are"
    if claim.fairness:
        return "fairness is not known where data is not bounded"
    speaks_of_values = any(isinstance(node, temporal.Holds) for node in parts_first(claim.content, temporal.parts))
    if speaks_of_values and any(system is not None and system.init is not None for system in systems):
        return "claims about values are not known where a function runs before all threads"
    return ""


@final
class _Deciding:
    def __init__(
        self,
        claim: Claim,
        threads: Threads,
        systems: Sequence[System | None],
        meant: Model | None,
        manner: Manner,
        time: Deadline,
        progress: Progress,
        given: GivenBy,
    ) -> None:
        self._claim = claim
        self._meant = meant
        self._threads = threads
        self._systems = systems
        self._manner = manner
        self._time = time
        self._progress = progress
        self._given = given
        self._posed: dict[int, Sequence[Posed]] = {}
        self._abstract: dict[int, AbstractThread] = {}
        self._team: Team | None = None  # the events that threads know
        content = claim.content
        self._asking = Asking(claim, content, threads, systems) if isinstance(content, temporal.Formula) else None
        self._last: Answer | None = None  # on the last abstract models
        self._told: dict[str, set[tuple[int, ...]]] = {}
        self._watch = {} if self._asking is None else self._asking.watch()
        self._refining: Loop | None = None  # the last one

    def run(self) -> Decided:
        """The answer; where arguments of events that nobody told apart were different, they are from then on."""
        while True:
            decided = self._attempt()
            if decided is not None:
                return decided

    def so_far(self, why: str) -> Decided | None:
        """How far it came; None if nothing was looked at."""
        if self._refining is None:
            return None
        return self._open(Reason.TIMEOUT, f"{why}{self._refining.last_run}.", self._refining.effort)

    def _attempt(self) -> Decided | None:
        asked = self._asking.asked if self._asking is not None else self._meant_alone
        labels = self._asking.events() if self._asking is not None else self._meant_events()
        ready = prepared(
            self._threads,
            self._systems,
            self._watch,
            self._told,
            labels,
            asked,
            self._given,
            self._time,
            self._progress,
        )
        self._team = ready.team
        if self._asking is not None:
            if any(alphabet.names for alphabet in ready.team.alphabets):
                self._asking.refuse_vague_patterns()
            met = {label for flow in ready.flows.values() for label in flow.labels}
            met |= {label for alphabet in ready.team.alphabets for label in alphabet.labels}
            met |= set(self._accesses(ready))
            self._asking.refuse_unknown_events(sorted(met), lambda pattern: may_know(ready.team, pattern))
        loop = self._refining = self._loop(ready)
        match loop.run(self._find):
            case Proved(whole, effort):
                return self._proved(whole, effort)
            case Found(is_lost=True) as found:
                return self._lost(ready, found.walks)
            case Found() as found:
                return self._confirmed(ready, found)
            case Abandoned(reason, why, effort):
                return self._open(reason, f"{why}.", effort)
            case other:
                assert_never(other)

    def _accesses(self, ready: Prepared) -> Iterator[str]:
        """Reads and writes of what processes hold, as claims call them."""
        for number, flow in ready.flows.items():
            for label in flow.labels:
                if accessed(label, self._threads) is not None:
                    yield access_label(label, self._threads.threads[number].name)

    def _meant_events(self) -> Sequence[str]:
        """The events that threads are to conform to: no others may be mixed up with them."""
        labels = () if self._meant is None else self._meant.labels
        return [label for label in labels if parsed(label).name in self._threads.events]

    def _meant_alone(self, label: str, known: bool) -> bool:
        """Whether threads are to conform to what one does alone; if its values are not known, to any of its name."""
        if self._meant is None:
            return False
        action = parsed(label)
        alike = (
            other for other in map(parsed, self._meant.labels) if (other.verb, other.name) == (action.verb, action.name)
        )
        return label in self._meant.labels if known else any(alike)

    def _proved(self, whole: Whole, effort: Effort) -> Decided:
        """What is vacuous in all that abstract models do is so in the code, which does less."""
        support = Support(whole.largest.states, ())
        if self._last is not None and self._last.verdict is Verdict.VACUOUS:
            verdict, words = Verdict.VACUOUS, self._last.explanation
        else:
            verdict, words = Verdict.HOLDS, " ".join((_proved(self._claim), *self._why_loops_end()))
            if isinstance(self._claim.content, Conforms) and self._last is not None:
                words += self._last.explanation.removeprefix(FOLLOWED)
        return Decided(
            Answer(self._claim.title, verdict, None, words, support, decided=self._by(effort)), asked=whole.largest
        )

    def _why_loops_end(self) -> Iterator[str]:
        for number, thread in self._abstract.items():
            if thread.rankings:
                yield told(
                    [ranking.measure for ranking in thread.rankings],
                    thread.thread.flow,
                    self._threads.threads[number].name,
                )

    def _loop(self, ready: Prepared) -> Loop:
        abstract = self._abstract = {}
        for number, flow in ready.flows.items():
            atoms = [] if self._asking is None else self._asking.conditions(number, ready.raw[number], flow)
            system = self._systems[number]
            assert system is not None
            given = posed_for(self._given.get(number, ()), system, ready.raw[number], flow)
            self._posed[number] = given
            abstract[number] = AbstractThread(number, flow, self._origin(number), self._time, atoms, given)
        return Loop(ready.team, abstract, self._interest(), MOST_TOGETHER, self._time, self._progress)

    def _interest(self) -> Interest:
        """What the claim sees of threads."""
        if self._asking is not None:
            return Interest(self._asking.means, self._asking.sees)
        if self._meant is not None:
            known = frozenset(self._meant.labels)
            return Interest(lambda label: label in known, _nothing)
        return Interest(is_error if self._claim.content is BuiltIn.NO_ERROR else _nothing, _nothing)

    def _origin(self, number: int) -> Origin:
        system = self._systems[number]
        assert system is not None
        return Origin(
            subject=system.subject, files=system.program.files, bounds=system.bounds, assumptions=system.assumptions
        )

    def _by(self, effort: Effort) -> evidence.Decided:
        given: list[tuple[str, str]] = []
        for number, own in self._given.items():
            name = self._threads.threads[number].name
            places = given_texts(own, self._posed.get(number, ()))
            given += [(f"{name}, {place}" if place else "", text) for place, text in places]
        return evidence.Decided(
            Engine.PREDICATE.value, given=tuple(given), predicates=effort.predicates, rounds=effort.rounds
        )

    def _find(self, whole: Whole) -> Path | None:
        if self._asking is None:
            answer = self._decided_on(whole.model)
        else:
            known = self._asking.known({number: len(thread.rankings) for number, thread in self._abstract.items()})
            meaning = self._asking.meaning(whole.model)
            answer = decide_ltl(
                self._asking.formula,
                (),
                whole.model,
                title=self._claim.title,
                progress=self._progress,
                meaning=meaning,
                known=known,
            )
        self._last = answer
        if answer.verdict is Verdict.INCONCLUSIVE:
            raise NotKnown(answer.explanation)
        path = answer.evidence
        if not isinstance(path, Path) or answer.verdict is not Verdict.VIOLATED:
            return None
        if self._asking is None:
            return path
        asking = self._asking
        return violating_beginning(asking.formula, path, whole.model, asking.meaning, self._progress) or path

    def _decided_on(self, model: Model) -> Answer:
        if self._meant is not None:
            team = self._team
            may = (lambda label: may_do(team, self._systems, label)) if team is not None else (lambda label: False)
            return conforms(self._claim.title, model, self._meant, self._progress, may)
        return decide(self._claim, model, progress=self._progress)

    def _open(self, reason: Reason, why: str, effort: Effort | None = None) -> Decided:
        decided = None if effort is None else self._by(effort)
        return Decided(Answer(self._claim.title, Verdict.INCONCLUSIVE, reason, why, decided=decided))

    def _lost(self, ready: Prepared, walks: Mapping[int, Walk]) -> Decided:
        """A run comes to code that is not known."""
        for number, walk in walks.items():
            flow = ready.flows[number].flow
            rest = flow.rests[flow.stretches[walk.stretches[-1]].target if walk.stretches else 0]
            if rest.phase is Phase.LOST:
                reason = Reason.BOUND if rest.bound else Reason.UNSUPPORTED
                who = self._threads.threads[number].name
                why = f"`{who}` comes to where it is not known what follows: {rest.what} ({rest.span})"
                return self._open(reason, why)
        raise AssertionError("somebody has come to code that is not known")

    def _confirmed(self, ready: Prepared, run: Found) -> Decided | None:
        """A violation by a run that each thread has done; what the reference does otherwise is no violation.

        None: threads that are to do an event together have different arguments, which are told apart now.
        """
        models: list[Model | None] = [None] * len(self._systems)
        for number, walk in run.walks.items():
            system = self._systems[number]
            assert system is not None
            manner = self._manner.watching(self._watch.get(number, frozenset()))
            flow, loop, back = ready.flows[number].flow, run.loops.get(number), None
            done = executed(system, flow, walk, manner, loop)
            if isinstance(done, Failure) and loop is not None:
                again = executed_again(system, flow, walk, manner, loop)
                done, back = (again.executed, again.back) if again is not None else (done, None)
            if isinstance(done, Failure) and not done.is_sure:
                raise OutOfTime
            if isinstance(done, Failure):
                name = self._threads.threads[number].name
                why = f"a run that formulas show could not be executed: `{name}`: {done.reason}"
                return self._open(Reason.UNSUPPORTED, why)
            models[number] = with_own_values(run_model(done, ends=run.ends, back=back), system)
        team = team_of(self._threads, models, ready.team.alphabets, seen=bool(self._watch))
        names = [] if self._asking is None else self._asking.names()
        aliases = aliases_for(names, known_values(team), self._threads)
        interest = replace(self._interest(), value=lambda name: name in names)
        found = together(team, interest, aliases, self._decided_on, self._progress)
        if found is None:
            if self._tell_apart(ready, run):
                return None
            return self._open(Reason.UNSUPPORTED, "a run that formulas show does not violate the claim when executed")
        whole, answer = found
        return Decided(replace(answer, decided=self._by(run.effort)), whole, run.whole.largest)

    def _tell_apart(self, ready: Prepared, run: Found) -> bool:
        """Notes the arguments of events that were not told apart in a run; whether some are new."""
        before = sum(map(len, self._told.values()))
        for number, walk in run.walks.items():
            for name, row in vague_events(ready.flows[number], walk):
                self._told.setdefault(name, set()).add(row)
        return before < sum(map(len, self._told.values())) <= MOST_TOLD


def _proved(claim: Claim) -> str:
    if isinstance(claim.content, Conforms):
        return f"Whatever happens, {claim.content.file} can do it too, whatever values inputs have."
    if not isinstance(claim.content, BuiltIn):
        return "All runs satisfy the claim, whatever values inputs have."
    what = "deadlock" if claim.content is BuiltIn.NO_DEADLOCK else "error"
    return f"No {what} can be reached, whatever values inputs have."


def _nothing(name: str) -> bool:
    """Nobody asks for what others do, or for values."""
    return False

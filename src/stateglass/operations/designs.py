"""From a design to answers: a program of threads is made of it, and what engines say of that is told of the design."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, reduce
from typing import Final, final

from stateglass.answers.checking import Checked
from stateglass.answers.claims import counting, names_asked, nodes
from stateglass.answers.threads import answer_threads
from stateglass.answers.turns import GROWTH
from stateglass.assemblies.beginning import begun
from stateglass.assemblies.ccl.writing_back import written_back
from stateglass.assemblies.claims import PRIORITY
from stateglass.assemblies.condensing import changing, condensed
from stateglass.assemblies.errors import may_fail
from stateglass.assemblies.interpretation.cfa import cfa_files
from stateglass.assemblies.interpretation.charts import Chart
from stateglass.assemblies.interpretation.interpreting import Interpretation, Said, interpreted
from stateglass.assemblies.interpretation.seeds import seeds
from stateglass.assemblies.interpretation.translating import Asked, Claiming, Viewpoint, annotated_claims, translated
from stateglass.assemblies.interpretation.wiring import Wiring, wiring_of
from stateglass.assemblies.loading import MOST_BYTES, is_drawn
from stateglass.assemblies.loading import load_design as load_design
from stateglass.assemblies.results import results_of
from stateglass.assemblies.telling import Telling
from stateglass.assemblies.transitions import located
from stateglass.assemblies.validation import warnings_of
from stateglass.design import Design
from stateglass.evidence import Answer, Path, Reason, Verdict
from stateglass.explore import Manner
from stateglass.frontend import read_program
from stateglass.logic import temporal
from stateglass.logic.claims import BuiltIn, Claim, Language
from stateglass.logic.reading import read_claim
from stateglass.model import ModelBuilder
from stateglass.operations.lifelines import lifelines
from stateglass.program import Program
from stateglass.program.callgraph import reachable
from stateglass.source import Assumption, Code, Diagnostic, InputError, Topic, as_written, input_error, small_text
from stateglass.system.threads import read_threads
from stateglass.unbounded.engines import Engine
from stateglass.unbounded.threads.scheduling import Scheduling
from stateglass.unbounded.threads.systems import Setting
from stateglass.unbounded.time import Deadline
from stateglass.views.claims.sequence import Sequence as Diagram
from stateglass.work import Progress, silent

_FILE: Final = "design.c"
"""What the C text is called as long as it is on no disk."""
_PRIORITIES: Final = "of those that can do a step, only those with the smallest priority do"
FIRST_PART: Final = 8
"""Of its part of the time each component or assembly has one in so many at first, then `GROWTH` times as much."""
_BEYOND: Final = "Data may be passed that is not among the values that are looked at: give it another bound."
_NOT_YET_KNOWN: Final = "The time was over (--timeout) before it was known whether other data may be passed."
LAST: Final = 1 << 30
"""The priority of threads that nobody has given one."""
_NOT_COUNTED: Final = "how many silent steps a design takes in between is not said"
_IMPOSSIBLE: Final = re.compile(r"`(?:false|[^`|]* & false|false & [^`|]*)` never comes true")
_EMPTY: Final = ModelBuilder().build(1)
_NO_BEHAVIOUR: Final = "No component has a reaction: the design does not say what anybody does."


@final
@dataclass(frozen=True, slots=True)
class HowChecked:
    """What is said of checking a design."""

    of: tuple[str, ...] = ()  # components and assemblies; none: what is worth looking at
    claims: tuple[str, ...] = ()  # in place of those of the design
    bounds: Mapping[str, str] = field(default_factory=dict)
    room: int | None = None
    engine: str = Engine.AUTO.value
    most_states: int | None = None
    seconds: float | None = None  # for all claims together
    fixed_priority: bool = False  # of the threads that can go on, only those with the highest priority do

    @property
    def manner(self) -> Manner:
        usual = Manner()
        return replace(usual, max_states=self.most_states or usual.max_states, timeout=self.seconds or usual.timeout)


ENGINES: Final = tuple(engine.value for engine in (Engine.AUTO, Engine.EXPLICIT, Engine.PREDICATE))


@final
@dataclass(frozen=True)
class CheckedDesign:
    """The answers to the claims on one component or assembly, in its words."""

    wiring: Wiring
    interpretation: Interpretation | None  # None: it has no behaviour
    checked: tuple[Checked, ...]
    asked: tuple[Asked, ...] = ()
    interrupted: bool = False
    assumptions: tuple[Assumption, ...] = ()
    diagrams: tuple[Diagram | None, ...] = ()  # of the runs that are evidence, a claim each


def chosen(design: Design, of: Sequence[str] = ()) -> tuple[Wiring, ...]:
    """What is looked at: what is asked for, or else all assemblies, or if there are none, all components."""
    names = of or [a.name for a in design.assemblies] or [c.name for c in design.components]
    problems: dict[Diagnostic, None] = {}
    found = []
    for name in names:
        try:
            found.append(wiring_of(design, name))
        except InputError as error:
            problems |= dict.fromkeys(error.diagnostics)
    if problems:
        raise InputError(problems)
    return tuple(found)


def interpretations(wirings: Sequence[Wiring], how: HowChecked) -> tuple[Interpretation | None, ...]:
    """The programs for them; all that is missing in any is one `InputError`."""
    problems: dict[Diagnostic, None] = {}
    found: list[Interpretation | None] = []
    for wiring in wirings:
        if not wiring.roles:
            found.append(None)
            continue
        try:
            found.append(of_what_can_run(interpreted(wiring, Said(how.bounds, how.room))))
        except InputError as error:
            problems |= dict.fromkeys(error.diagnostics)
    if problems:
        raise InputError(problems)
    return tuple(found)


def of_what_can_run(program: Interpretation) -> Interpretation:
    """The program with the knowledge of what stands only where conditions on constants let nobody go."""
    read = _read(program.text)
    used = reachable(read, program.threads).variables
    unused = {name for name in program.variables if name not in used}
    idle = {role for role, (name, _) in program.states.items() if name not in used}
    program = program.calling({thread: reachable(read, [thread]).externals for thread in program.threads})
    return replace(program, unused=program.unused | unused, idle=program.idle | idle)


@lru_cache(maxsize=4)
def _read(text: str) -> Program:
    return read_program((_FILE,), written={_FILE: text}).program


def check_design(design: Design, how: HowChecked, progress: Progress = silent) -> tuple[CheckedDesign, ...]:
    """The answers to all claims, and whether there are deadlocks, for each component or assembly that is looked at."""
    time = Deadline(how.manner.timeout)
    wirings = chosen(design, how.of)
    programs = interpretations(wirings, how)
    asked = _all_asked(wirings, programs, how)
    found: dict[int, CheckedDesign] = {}
    for number, (wiring, program, claims) in enumerate(zip(wirings, programs, asked, strict=True)):
        if program is None:
            checked = tuple(Checked(a.claim, _without_behaviour(a.claim), _EMPTY) for a in claims)
            found[number] = CheckedDesign(wiring, None, checked, claims)
    waiting = [number for number in range(len(wirings)) if number not in found]
    # What one of them cannot decide must not cost the others their time: they take turns.
    turn = time.left() / (FIRST_PART * max(len(waiting), 1))
    while waiting:
        more = []
        for number in waiting:
            if number in found and time.is_over():
                break
            program = programs[number]
            assert program is not None
            seconds = time.left() if len(waiting) == 1 else min(turn, time.left())
            new = _Checking(program, how, Deadline(seconds), progress).run(asked[number])
            if number in found and (new.interrupted or _late(new) > _late(found[number])):
                new = replace(found[number], interrupted=new.interrupted)
            found[number] = new
            if new.interrupted:
                return tuple(found[n] for n in sorted(found))
            if _late(new):
                more.append(number)
        waiting = [] if time.is_over() else more
        turn *= GROWTH
    return tuple(found[n] for n in sorted(found))


def _late(found: CheckedDesign) -> int:
    """How many claims there was no time for."""
    return sum(one.answer.reason is Reason.TIMEOUT for one in found.checked)


def programs_and_claims(design: Design, how: HowChecked) -> list[tuple[Interpretation, tuple[Asked, ...]]]:
    """The programs for what is looked at and has behaviour, each with its claims."""
    wirings = chosen(design, how.of)
    programs = interpretations(wirings, how)
    asked = _all_asked(wirings, programs, how)
    return [(program, claims) for program, claims in zip(programs, asked, strict=True) if program is not None]


def written_down(design: Design, how: HowChecked) -> dict[str, dict[str, str]]:
    """The programs as texts by the names of files, by what they are made of."""
    found = {}
    for program, claims in programs_and_claims(design, how):
        beyond = _within_bounds(program)
        found[program.wiring.name] = cfa_files(program, claims if beyond is None else (*claims, Asked(beyond, beyond)))
    return found


def refuse_writing_back(path: str) -> None:
    """Only a file with CCL can be given its results."""
    if is_drawn(path):
        raise input_error(Code.USAGE, "results are written back to CCL, and this is a diagram")
    if path == "-":
        help = "name the file in place of `-`"
        raise input_error(Code.USAGE, "results are written back to a file, and this is standard input", help=help)


def with_results(path: str, design: Design, found: Sequence[CheckedDesign]) -> str:
    """The text of a design in a file with the verdicts beside its claims."""
    pairs = [pair for one in found for pair in zip(one.asked, one.checked, strict=False)]
    results = results_of((asked.annotation, checked.answer) for asked, checked in pairs)
    text = written_back(small_text(path, "a design", Code.DESIGN, MOST_BYTES), design, results)
    return as_written(text, path)


def oddities(design: Design, wirings: Sequence[Wiring]) -> tuple[Diagnostic, ...]:
    """What is worth knowing about a sound design."""
    return tuple(dict.fromkeys((*warnings_of(design), *(w for wiring in wirings for w in wiring.warnings))))


def _all_asked(
    wirings: Sequence[Wiring], programs: Sequence[Interpretation | None], how: HowChecked
) -> list[tuple[Asked, ...]]:
    """The claims on each; all that is wrong with any of them is one `InputError`."""
    problems: dict[Diagnostic, None] = {}
    given, asked = [], []
    for text in how.claims:
        try:
            given.append(read_claim(text))
        except InputError as error:
            problems |= dict.fromkeys(error.diagnostics)
    for wiring, program in zip(wirings, programs, strict=True):
        try:
            asked.append(_asked(wiring, program, given if how.claims else None))
        except InputError as error:
            problems |= dict.fromkeys(error.diagnostics)
    known = [*given, *(one.claim for claims in asked for one in claims)]
    problems |= dict.fromkeys(counting(known, _NOT_COUNTED))
    if problems:
        raise InputError(problems)
    return asked


def _asked(wiring: Wiring, program: Interpretation | None, given: Sequence[Claim] | None) -> tuple[Asked, ...]:
    """The claims that are given, or else those of the design, and that there is neither deadlock nor error."""
    viewpoint = Viewpoint(None) if wiring.is_assembly else Viewpoint("")
    if given is not None:
        asked = [Claiming(claim, viewpoint) for claim in given]
    else:
        asked = annotated_claims(wiring)
        usual = [BuiltIn.NO_DEADLOCK]
        if program is not None and may_fail(program):
            usual.append(BuiltIn.NO_ERROR)
        known = {one.claim.content for one in asked if isinstance(one.claim.content, BuiltIn)}
        texts = [one.value for one in usual if one not in known]
        asked += [Claiming(read_claim(text, name=f"{wiring.name}.{text}"), viewpoint) for text in texts]
    if program is None:
        return tuple(Asked(one.claim, one.claim, one.annotation) for one in asked)
    return translated(program, asked)


def _without_behaviour(claim: Claim) -> Answer:
    return Answer(claim.title, Verdict.INCONCLUSIVE, Reason.UNSUPPORTED, _NO_BEHAVIOUR)


def setting_of(program: Interpretation) -> Setting:
    """The program of a design, read as any other."""
    read = _read(program.text)
    return replace(Setting.of(read, read_threads(read, program.asked), program.bounds), spare=True)


def scheduling_of(program: Interpretation) -> Scheduling:
    """The priorities of threads as they are annotated, smallest number first; threads without one are last.

    The surroundings and timers are not scheduled: they act at any time.
    """
    design = program.wiring.design
    urgency = {}
    for name, carrier in program.threads.items():
        component = program.wiring.by_name[carrier.role.unit].component
        if carrier.outside or program.wiring.is_service(carrier.role.unit):
            continue
        own = design.annotated(component.name, carrier.role.reaction, PRIORITY)
        urgency[name] = own if isinstance(own, int) else LAST
    return Scheduling(urgency, program.active, program.calls)


@final
class _Checking:
    """Answers the claims on one program, one after the other."""

    def __init__(self, program: Interpretation, how: HowChecked, time: Deadline, progress: Progress) -> None:
        self._program = program
        self._how = how
        self._time = time
        self._progress = progress
        self._telling = Telling(program)
        self._charts = {f"{role}.state": (role, Chart(program.wiring.reaction(role))) for role in program.states}

    def run(self, claims: Sequence[Asked]) -> CheckedDesign:
        setting = setting_of(self._program)
        if self._how.fixed_priority:
            setting = replace(setting, scheduling=scheduling_of(self._program))
        manner = replace(self._how.manner, end=self._time.end)
        beyond = _within_bounds(self._program)
        asked = [one.translated for one in claims] + ([] if beyond is None else [beyond])
        given = () if setting.threads.is_direct else seeds(self._program)
        checking, _ = answer_threads(setting, manner, asked, Engine(self._how.engine), self._progress, given)
        pairs = [self._told(one, found) for one, found in zip(claims, checking.checked, strict=False)]
        told = [checked for checked, _ in pairs]
        diagrams = tuple(diagram for _, diagram in pairs)
        if beyond is not None:
            within = checking.checked[-1].answer if len(checking.checked) == len(asked) else None
            if within is None or within.verdict is not Verdict.HOLDS:
                is_late = within is not None and within.reason is Reason.TIMEOUT
                told = [_in_doubt(*one, is_late=is_late) for one in zip(claims, told, strict=False)]
        assumptions = tuple(self._telling.assumptions())
        if self._how.fixed_priority:
            assumptions = (Assumption(Topic.SCHEDULE, "threads", _PRIORITIES), *assumptions)
        return CheckedDesign(
            self._program.wiring, self._program, tuple(told), tuple(claims), checking.interrupted, assumptions, diagrams
        )

    def _told(self, asked: Asked, found: Checked) -> tuple[Checked, Diagram | None]:
        """An answer in the words of the design, with a diagram of the run if that is its evidence."""
        answer = self._telling.answer(replace(found.answer, claim=asked.claim.title), found.model)
        if "false" not in asked.claim.text:
            # That is what became of an event that nobody takes part in, or with data that nobody passes.
            explanation = _IMPOSSIBLE.sub("an event in it cannot happen", answer.explanation)
            answer = replace(answer, explanation=explanation)
        model = self._telling.model(found.model)
        origin = model if found.asked is None or found.asked is found.model else self._telling.model(found.asked)
        diagram = None
        if isinstance(found.answer.evidence, Path) and isinstance(answer.evidence, Path):
            run = found.answer.evidence
            told, model = begun(answer.evidence, model, self._telling.first_values)
            if len(told.steps) > len(run.steps):
                run = replace(run, steps=(replace(told.steps[0], changes=()), *run.steps))
            shown = condensed(told, changing(run, names_asked([asked.translated])))
            diagram = lifelines(self._telling, run, told, shown)
            answer = replace(answer, evidence=located(shown.path, model.valuation(told.start), self._charts))
        return replace(found, claim=asked.claim, answer=answer, model=model, asked=origin), diagram


def _within_bounds(program: Interpretation) -> Claim | None:
    """That no data is passed but what is looked at; None if it cannot be otherwise. Answers are in doubt without it."""
    events: list[temporal.Formula] = [
        temporal.Happens(event.name) for event in program.events.values() if event.is_beyond
    ]
    if not events:
        return None
    formula = temporal.Always(temporal.Not(reduce(temporal.Or, events)))
    return Claim("within bounds", Language.LTL, formula, f"{program.wiring.name}.within-bounds")


def _is_shown(asked: Asked, answer: Answer) -> bool:
    """Whether one run violates a claim, whatever else can happen."""
    content = asked.translated.content
    if answer.verdict is not Verdict.VIOLATED or not isinstance(answer.evidence, Path) or asked.asks_beyond:
        return False
    if isinstance(content, temporal.Quantified) and content.on_all:
        content = content.path
    return not any(isinstance(node, temporal.Quantified) for node in nodes(content))


def _in_doubt(asked: Asked, found: Checked, *, is_late: bool) -> Checked:
    """What is said of all runs is not known where it is not known how some go on."""
    if found.answer.verdict is Verdict.INCONCLUSIVE or _is_shown(asked, found.answer):
        return found
    reason, why = (Reason.TIMEOUT, _NOT_YET_KNOWN) if is_late else (Reason.BOUND, _BEYOND)
    answer = replace(found.answer, verdict=Verdict.INCONCLUSIVE, reason=reason, explanation=why, evidence=None)
    return replace(found, answer=answer)

"""What designs become: the programs that the paper shows, and answers in the words of the design."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from scripts.rooms import ROOT
from stateglass.answers.threads import answer_threads
from stateglass.assemblies.ccl import read_design
from stateglass.assemblies.interpretation.cfa import cfa_files
from stateglass.assemblies.interpretation.interpreting import Interpretation, Said, interpreted
from stateglass.assemblies.interpretation.wiring import wiring_of
from stateglass.cli.exits import Exit
from stateglass.design import Component, Design, Reaction
from stateglass.evidence import Answer, Reason, Verdict
from stateglass.evidence import Path as Run
from stateglass.explore import Manner
from stateglass.operations.designs import (
    HowChecked,
    check_design,
    programs_and_claims,
    scheduling_of,
    setting_of,
    written_down,
)
from stateglass.options.settings import settings
from stateglass.pipeline import check_program
from stateglass.source import Code, InputError
from stateglass.unbounded.engines import Engine
from stateglass.unbounded.threads.systems import thread_systems
from stateglass.work import silent
from tests.assemblies.designs import arrow, assembled, begin, end, sink, source, state
from tests.assemblies.generator import random_design
from tests.cli.running import stateglass
from tests.fuzz.assemblies_agreement import system_of

STORE: Final = ROOT / "examples" / "store" / "store.ccl"
SEVEN: Final = ROOT / "examples" / "seven_reactions" / "seven.ccl"
PIPE: Final = """
component Sender() {
    int n = 0;
    source asynch send(int number);
    threaded react S(send) {
        start -> on {}
        state on { entry ^send(n); }
        on -> on { action { n++; if (n > MOST) n = 0; } }
    }
}
component Receiver() {
    int last = 0;
    sink asynch take(int number);
    threaded react R(take) { start -> on {} on -> on { trigger ^take(last); action $take(); } }
    annotate take {"comfort", const string values = "number: 0..3"}
    annotate R {"comfort", const string full = "FULL"}
}
assembly pipe() {
    Sender s();
    Receiver r();
    s:send ~> r:take;
    annotate pipe {"comfort", const string Small = "G([r.last <= 3])"}
    annotate pipe {"comfort", const string Zero = "G([r.last == 0])"}
    annotate pipe {"comfort", const string Right = "no-error"}
}
"""

TWICE: Final = """
component S() { int n = 1; source asynch out(); threaded react S(out) {
    start -> on {} on -> on { action { n = 0 - n; ^out(); } }
} }
component R() { sink asynch take(); threaded react R(take) {
    start -> on {} on -> on { trigger ^take(); action $take(); }
} }
assembly twice() { S s(); R r(); s:out ~> r:take; }
"""
ANNOTATED: Final = 'annotate S {"comfort", const int priority = 1}\n    source asynch'


def program_of(design: Design, name: str) -> Interpretation:
    return interpreted(wiring_of(design, name), Said())


def answers(design: Design, how: HowChecked | None = None) -> dict[str, Answer]:
    found = check_design(design, how or HowChecked())
    return {checked.claim.title: checked.answer for one in found for checked in one.checked}


def store() -> Design:
    return read_design(STORE.read_text(encoding="utf-8"), "store.ccl")


def pipe(most: int, full: str = "block") -> Design:
    return read_design(PIPE.replace("MOST", str(most)).replace("FULL", full), "pipe.ccl")


def test_abstraction_says_the_same() -> None:
    claims = ("G([data <= max])", "G([data <= 3])")
    found = answers(store(), HowChecked(claims=claims, engine="predicate"))
    assert [found[claim].verdict for claim in claims] == [Verdict.HOLDS, Verdict.VIOLATED]


def test_the_store_is_answered_in_its_words() -> None:
    found = answers(store())
    claims = [found[f"store.S.Claim{number}"] for number in range(1, 7)]
    holds, violated = Verdict.HOLDS, Verdict.VIOLATED
    assert [one.verdict for one in claims] == [holds, holds, violated, holds, violated, violated]
    run = claims[2].evidence
    assert isinstance(run, Run)
    assert claims[2].confirmed_by
    visible = [step.action for step in run.steps if step.action != "tau"]
    assert visible[:4] == ["^init", "$init", "^incr", "$incr"]
    told = {change for step in run.steps for change in step.changes}
    assert {("data", "4"), ("S.state", "four")} <= told
    assert {name for name, _ in told} <= {"data", "max", "S.state"}
    assert {step.span.file for step in run.steps if step.span is not None} == {"store.ccl"}


def test_the_store_becomes_the_program_of_the_paper() -> None:
    ((program, claims),) = programs_and_claims(store(), HowChecked())
    files = cfa_files(program, claims)
    spec = files["store.spec"]
    pins = ("decr", "incr", "init")
    functions = {f"fsp_{verb}_{pin}" for verb in ("begin", "end") for pin in pins} | {"fsp_S_externalChoice"}
    assert set(re.findall(r"^cproc (\w+)", spec, re.MULTILINE)) == functions | {"store_S"}
    named = {f"{verb}{pin}" for verb in ("Begin", "End") for pin in pins} | {"S_ExtChoice"}
    assert set(re.findall(r"^(\w+) = \(", spec, re.MULTILINE)) == named
    events = {f"{verb}_{pin}" for verb in ("begin", "end") for pin in pins}
    assert set(re.findall(r"(?:begin|end)_\w+(?= ->)", spec)) == events
    predicates = {f"currState == {state}" for state in range(1, 6)} | {f"nextEvent == {pin}" for pin in range(3)}
    declared = [line for line in spec.splitlines() if line.strip().startswith("predicate")]
    assert {text for line in declared for text in re.findall(r"\(([^()]*)\)", line)} == predicates | {"listening"}
    numbers = {f"Claim{number}{number - 1}" for number in range(1, 7)}
    assert set(re.findall(r"^(Claim\d+) :", spec, re.MULTILINE)) == numbers
    initial = {"P0::store_data == 0", "P0::store_max == 5"}
    constraints = re.findall(r"abstract abs\d, \{ (.*?) \}", spec)
    assert [set(text.split(" && ")) for text in constraints] == [initial] * 6
    assert "begin_incr => F [P0::store_data == 0]" in spec
    choice = re.search(r"S_ExtChoice = \((.*)\)\.", spec)
    assert choice is not None
    assert choice[1].split(" | ") == [f"begin_{pin} -> return {{$0 == {n}}} -> STOP" for n, pin in enumerate(pins)]
    assert re.findall(r"^void (\w+)\(", files["store.c"], re.MULTILINE) == ["store_S"]


def test_what_is_written_down_runs_as_it_stands(tmp_path: Path) -> None:
    design = pipe(3)
    ((program, claims),) = programs_and_claims(design, HowChecked())
    for name, text in cfa_files(program, claims).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    chosen, _ = settings({}, None, str(tmp_path / "stateglass.toml"))
    asked = [one.translated for one in claims]
    again = check_program(chosen, asked).checking
    meant = answers(design)
    assert [one.answer.verdict for one in again.checked] == [meant[one.claim.title].verdict for one in claims]
    assert {one.answer.verdict for one in again.checked} == {Verdict.HOLDS, Verdict.VIOLATED}


def test_unthreaded_reactions_become_part_of_whoever_calls_them() -> None:
    """The processes of figure 7: R1+R7, R2+R7, R3+R5+R7, R4+R7, R6, and queues for R4 and R6."""
    program = program_of(read_design(SEVEN.read_text(encoding="utf-8"), "seven.ccl"), "seven")
    bodies = dict(re.findall(r"^void (\w+)\(.*?\)\n(.*?)^}", program.text, re.MULTILINE | re.DOTALL))

    def composed(function: str) -> set[str]:
        called = set(re.findall(r"\b(\w+_does_\w+)\(", bodies[function]))
        return {function.partition("_does_")[2] or function}.union(*map(composed, called))

    threads = [text for text in program.asked.threads if not text.startswith("process ")]
    parts = {frozenset(name.rpartition("_")[2] for name in composed(thread)) for thread in threads}
    assert parts == {frozenset(one.split("+")) for one in ("R1+R7", "R2+R7", "R3+R5+R7", "R4+R7", "R6")}
    assert {queue.reaction for queue in program.queues} == {"l.R4", "m.R6"}
    processes = {text.removeprefix("process ") for text in program.asked.threads} - set(threads)
    assert processes == {queue.process for queue in program.queues} | set(program.locks)
    assert [str(role) for role in program.locks.values()] == ["c.R7"]
    begun = {e.name for e in program.events.values() if e.mark == "^" and e.places[-1].unit == "c"}
    assert len(begun) == 4  # one for each thread that begins it


def test_events_of_several_senders_are_one_event_for_claims() -> None:
    claim = "G(!c.^ask)"
    found = answers(read_design(SEVEN.read_text(encoding="utf-8"), "seven.ccl"), HowChecked(claims=(claim,)))
    assert found[claim].verdict is Verdict.VIOLATED


def test_values_beyond_those_that_are_looked_at_leave_answers_open() -> None:
    within, beyond = answers(pipe(3)), answers(pipe(4))
    assert within["pipe.Small"].verdict is Verdict.HOLDS
    assert (beyond["pipe.Small"].verdict, beyond["pipe.Small"].reason) == (Verdict.INCONCLUSIVE, Reason.BOUND)
    assert beyond["pipe.Zero"].verdict is Verdict.VIOLATED


def test_a_full_queue_is_told() -> None:
    assert answers(pipe(3))["pipe.Right"].verdict is Verdict.HOLDS
    assert answers(pipe(3, "discard"))["pipe.Right"].verdict is Verdict.HOLDS
    answer = answers(pipe(3, "error"))["pipe.Right"]
    assert answer.verdict is Verdict.VIOLATED
    assert isinstance(answer.evidence, Run)
    assert answer.evidence.steps[-1].action == "error(queue)"
    held = [value for step in answer.evidence.steps for name, value in step.changes if name == "queue of r.R"]
    assert "[take(0), take(1)]" in held


def test_errors_are_asked_for_by_their_kinds() -> None:
    kinds = ("completion", "queue", "overflow", "*")
    claims = tuple(f"G !error({kind})" for kind in kinds)
    found = answers(pipe(3, "error"), HowChecked(claims=claims))
    verdicts = dict(zip(kinds, (found[claim] for claim in claims), strict=True))
    assert {kind for kind, one in verdicts.items() if one.verdict is Verdict.VIOLATED} == {"queue", "*"}
    assert verdicts["queue"].explanation.endswith("The queue of `r.R` is full, and one more message comes.")
    twice = TWICE.replace("$take();", "{ $take(); $take(); }")
    (answer,) = (one for title, one in answers(read_design(twice, "pipe.ccl")).items() if title == "twice.no-error")
    assert answer.explanation.startswith("`error(completion)` can be reached. `r.$take` is to complete")
    assert "twice.no-error" not in answers(read_design(TWICE, "pipe.ccl"))
    assert "twice.no-error" in answers(read_design(TWICE.replace("0 - n", "1 / n"), "pipe.ccl"))
    with pytest.raises(InputError) as refused:
        answers(pipe(3), HowChecked(claims=("G !error(assertion)",)))
    assert "completion, queue, overflow" in (refused.value.diagnostics[0].help or "")
    with pytest.raises(InputError, match="regular expressions"):
        answers(pipe(3), HowChecked(claims=('G !"re:send.*"',)))


def test_data_without_values_is_refused_by_its_name() -> None:
    text = re.sub(r".*values = .*\n", "", PIPE.replace("MOST", "3").replace("FULL", "block"))
    with pytest.raises(InputError) as refused:
        answers(read_design(text, "pipe.ccl"))
    (problem,) = refused.value.diagnostics
    assert problem.code is Code.MISSING_BOUND
    assert "`r:take`" in problem.message
    assert "r.take.number" in problem.help
    found = answers(read_design(text, "pipe.ccl"), HowChecked(bounds={"r.take.number": "0..3"}))
    assert found["pipe.Small"].verdict is Verdict.HOLDS


def test_in_claims_on_a_reaction_its_variables_hide_those_of_the_component() -> None:
    design = read_design(
        """
component z() {
    int c = 0;
    sink asynch a();
    threaded react T(a) {
        int c = 5;
        start -> q {}
        q -> r { trigger ^a(); action { c = 6; component.c = 1; } }
        state r {}
    }
    annotate T {"comfort", const string Own = "G [c >= 5]"}
    annotate z {"comfort", const string Of_all = "G [c <= 1]"}
}
""",
        "hidden.ccl",
    )
    found = {title: answer.verdict for title, answer in answers(design).items()}
    assert found["z.T.Own"] is found["z.Of_all"] is Verdict.HOLDS


def test_designs_without_reactions_have_no_behaviour() -> None:
    text = "component P() { source asynch out(); } component Q() { sink asynch in_(); }\n"
    text += (
        'assembly both() { P p(); Q q(); p:out ~> q:in_; annotate both {"comfort", const string Sent = "F p.^out"} }'
    )
    found = answers(read_design(text, "both.ccl"))
    assert set(found) == {"both.Sent", "both.no-deadlock"}
    assert {answer.verdict for answer in found.values()} == {Verdict.INCONCLUSIVE}
    assert all("reaction" in answer.explanation for answer in found.values())


def test_there_is_no_program_to_write_of_a_design_without_reactions(tmp_path: Path) -> None:
    file = tmp_path / "pins.ccl"
    file.write_text("component P() { source asynch out(); }", encoding="utf-8")
    ran = stateglass("assembly", str(file), "--emit-cfa", str(tmp_path / "cfa"))
    assert ran.status is Exit.BAD_INPUT
    assert "no program to write" in ran.err


def test_the_most_urgent_threads_go_first() -> None:
    """Whoever takes messages as soon as they come needs no room for more than one."""
    more = """    annotate R {"comfort", const int queue = 1}
    annotate R {"comfort", const int priority = 1}
}
assembly pipe"""
    text = PIPE.replace("MOST", "3").replace("FULL", "error").replace("}\nassembly pipe", more, 1)
    design = read_design(text, "pipe.ccl")
    assert answers(design)["pipe.Right"].verdict is Verdict.VIOLATED
    first = HowChecked(fixed_priority=True)
    assert answers(design, first)["pipe.Right"].verdict is Verdict.HOLDS
    late = read_design(text.replace("priority = 1", "priority = 9").replace("source asynch", ANNOTATED), "pipe.ccl")
    assert answers(late, first)["pipe.Right"].verdict is Verdict.VIOLATED
    with pytest.raises(InputError, match="abstracts"):
        answers(design, HowChecked(fixed_priority=True, engine="predicate"))


def test_who_begins_an_interaction_does_so_with_its_own_priority() -> None:
    """An urgent one calls a lazy one that is at rest before others go on; `$` needs the lazy one."""
    text = """
component Asks() { source synch ask(); threaded react R(ask) { start -> done { action ^ask(); } state done {} }
    annotate R {"comfort", const int priority = 1} }
component Works() { source asynch out(); threaded react R(out) { start -> done { action ^out(); } state done {} }
    annotate R {"comfort", const int priority = 2} }
component Serves() { sink synch do_it(); threaded react R(do_it) {
    start -> on {} on -> on { trigger ^do_it(); action $do_it(); } }
    annotate R {"comfort", const int priority = PRIORITY} }
assembly all() { Asks a(); Works w(); Serves s(); a:ask ~> s:do_it; expose { w:out };
    annotate all {"comfort", const string First = "(!w.^out) W s.$do_it"} }
"""
    how = HowChecked(fixed_priority=True)
    urgent, lazy = (answers(read_design(text.replace("PRIORITY", n), "a.ccl"), how)["all.First"] for n in ("1", "3"))
    assert (urgent.verdict, lazy.verdict) == (Verdict.HOLDS, Verdict.VIOLATED)


def test_nothing_is_under_way_in_an_unthreaded_reaction_at_rest() -> None:
    late = arrow("a", "a", "^q", end("p"), end("q"))
    carried = Reaction("U", False, ("p", "q"), (), (state("a"),), (arrow("start", "a"), arrow("a", "a", "^p"), late))
    called = Component("C", (), (), (sink("p", synch=True), sink("q", synch=True)), (carried,))
    calls = Reaction("S", True, ("out",), (), (state("b"),), (arrow("start", "b", "", begin("out")),))
    caller = Component("D", (), (), (source("out", synch=True),), (calls,))
    design = assembled((called, caller), "u: C, a: D, b: D", "a:out ~> u:p", "b:out ~> u:q")
    (found,) = check_design(design, HowChecked(claims=("no-error", "G !a.$out"), engine="explicit"))
    assert [one.answer.verdict for one in found.checked] == [Verdict.VIOLATED, Verdict.HOLDS]


def test_the_end_of_an_interaction_that_never_begins_is_an_error() -> None:
    """Nothing is connected to a pin that only one of two ways completes."""
    design = read_design(
        """
        component C() {
            sink asynch p(); sink asynch q();
            bool on = false;
            threaded react R(p, q) {
                start -> a {}
                a -> a { trigger ^p(); action { if (on) { $q(); } on = !on; } }
            }
        }
        assembly alone() { C c(); expose { c:p }; }
        """,
        "alone.ccl",
    )
    (found,) = check_design(design, HowChecked(claims=("no-error",), engine="explicit"))
    assert found.checked[0].answer.verdict is Verdict.VIOLATED


@pytest.mark.parametrize("data", ["", "1", "some"])
def test_with_priorities_nobody_spins_while_a_more_urgent_thread_can_go_on(data: str) -> None:
    """Beginning to wait takes no time, whether a number is passed or none."""
    parameter, name = ("int n", "n") if data else ("", "")
    values = 'annotate do_it {"comfort", const string values = "n: 0..1"}' if data else ""
    text = f"""
component Spins() {{ source asynch out();
    threaded react R(out) {{ start -> on {{}} on -> on {{}} }}
    annotate R {{"comfort", const int priority = 3}} }}
component Asks() {{ int some = 1; source synch ask({parameter});
    threaded react R(ask) {{ start -> on {{ action ^ask({data}); }} on -> on {{ action ^ask({data}); }} }}
    annotate R {{"comfort", const int priority = 3}} }}
component Serves() {{ sink synch do_it({parameter}); {values}
    threaded react R(do_it) {{ start -> on {{}} on -> on {{ trigger ^do_it({name}); action $do_it(); }} }}
    annotate R {{"comfort", const int priority = 2}} }}
assembly all() {{ Asks a(); Spins t(); Serves s(); a:ask ~> s:do_it; }}
"""
    claims = ("G(s.^do_it => F s.$do_it)", "G F s.^do_it")
    design = read_design(text, "a.ccl")
    free, scheduled = (
        [one.answer.verdict for one in check_design(design, HowChecked(claims=claims, fixed_priority=fixed))[0].checked]
        for fixed in (False, True)
    )
    assert free == [Verdict.VIOLATED, Verdict.VIOLATED]
    assert scheduled == [Verdict.HOLDS, Verdict.VIOLATED]


@pytest.mark.parametrize("fixed", [False, True])
def test_where_time_is_over_nothing_is_said(fixed: bool) -> None:
    ((program, asked),) = programs_and_claims(read_design(STORE.read_text(encoding="utf-8"), "store.ccl"), HowChecked())
    setting = replace(setting_of(program), scheduling=scheduling_of(program) if fixed else None)
    claims = [one.translated for one in asked]
    found, _ = answer_threads(setting, Manner(timeout=1e-9), claims, Engine.EXPLICIT, silent)
    assert len(found.checked) == len(claims)
    assert {(one.answer.verdict, one.answer.reason) for one in found.checked} == {
        (Verdict.INCONCLUSIVE, Reason.TIMEOUT)
    }


def test_all_that_is_wrong_with_claims_is_said_at_once() -> None:
    design = read_design(STORE.read_text(encoding="utf-8"), "store.ccl")
    claims = ("G([data >= 0])", "G([much >= 0])", "F (", "X ^incr", "F ^inc")
    with pytest.raises(InputError) as refused:
        check_design(design, HowChecked(claims=claims))
    assert [d.code for d in refused.value.diagnostics] == [
        Code.CLAIM, Code.UNKNOWN_NAME, Code.UNKNOWN_NAME, Code.USAGE
    ]  # fmt: skip


def test_the_values_of_a_name_are_those_of_the_component() -> None:
    """The reaction hides the variable, and is carried out by two threads."""
    text = """
component U() { int v = 2; sink synch p(); annotate v {"comfort", const string values = "2..3"}
    react R(p) { bool v = false; start -> a {} a -> a { trigger ^p(); action { v = !v; $p(); } } } }
component T() { source synch out(); threaded react R(out) { start -> a { action ^out(); } state a {} } }
assembly all() { U u(); T a(); T b(); a:out ~> u:p; b:out ~> u:p; }
"""
    how = HowChecked(claims=("F [u.R.v == 1]", "G [u.R.v == 0]", "G [u.v == 2]"), engine="explicit")
    (found,) = check_design(read_design(text, "names.ccl"), how)
    verdicts = [one.answer.verdict for one in found.checked]
    assert verdicts == [Verdict.HOLDS, Verdict.VIOLATED, Verdict.HOLDS]


def test_what_comes_back_is_what_was_passed_whatever_others_do_in_between() -> None:
    design = read_design(
        """
        component U() {
            bool set = false;
            sink synch p(produce bool d);
            react R(p) { start -> a {} a -> a { trigger ^p(); action $p(!set); } }
            sink asynch q();
            threaded react W(q) { state b {} start -> a {} a -> b { action set = true; } }
        }
        component C() {
            bool v = false;
            source synch out(produce bool d);
            threaded react R(out) { state b {} start -> a { action ^out(); } a -> b { trigger $out(v); } }
        }
        assembly both() { U u(); C c(); c:out ~> u:p; }
        """,
        "both.ccl",
    )
    claims = ("G(u.$p(1) => F [c.v == 1])", "G(u.$p(0) => G [c.v == 0])", "F u.$p(0)")
    (found,) = check_design(design, HowChecked(claims=claims, engine="explicit"))
    assert [one.answer.verdict for one in found.checked] == [Verdict.HOLDS, Verdict.HOLDS, Verdict.VIOLATED]


def test_no_thread_need_come_to_what_has_a_bound() -> None:
    design = random_design(2000152)  # what its thread does first never ends
    name, _ = system_of(design)
    systems = thread_systems(setting_of(interpreted(wiring_of(design, name), Said({}))), open=False)
    assert any(system is not None for system in systems)


def test_who_asks_twice_has_one_claim_in_the_program() -> None:
    design = read_design(STORE.read_text(encoding="utf-8"))
    ((_, files),) = written_down(design, HowChecked(claims=("G [data <= 3]", "G [data <= 3]"))).items()
    assert list(tomllib.loads(files["stateglass.toml"])["claims"]) == ["G [data <= 3]"]

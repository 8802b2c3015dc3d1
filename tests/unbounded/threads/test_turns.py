"""Variables that threads share directly: every order of reads and writes, by models of all states and by invariants."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from stateglass.answers.threads import answer_threads
from stateglass.evidence import Answer, Support
from stateglass.explore import Manner
from stateglass.logic.reading import read_claim
from stateglass.source import InputError
from stateglass.unbounded.engines import Engine
from stateglass.work import silent
from tests.fuzz.sharing_agreement import disagreements
from tests.unbounded.threads.asking import PATIENT, Case, actions, checked, setting_of, verdict

ENGINES = (Engine.EXPLICIT, Engine.BMC, Engine.PREDICATE)


def direct(*names: str) -> tuple[str, ...]:
    return tuple(f"{name}=direct" for name in names)


UPDATES = Case(
    """
    #include <assert.h>
    extern void lock(int who), unlock(int who);
    int x, done;
    void up(int who) { LOCK x++; UNLOCK done++; }
    void look(void) { while (done < 2) ; assert(x == 2); }
    """,
    ("a = up(0)", "b = up(1)", "look"),
    shared=direct("x", "done"),
)
LOCKED = replace(
    UPDATES,
    code=UPDATES.code.replace("UNLOCK", "LOCK").replace(
        "LOCK x++; LOCK done++;", "lock(who); x++; done++; unlock(who);"
    ),
    threads=(*UPDATES.threads, "process MUTEX"),
    events=("lock", "unlock"),
    processes={"MUTEX": "MUTEX = (lock(who:0..1) -> unlock(who) -> MUTEX)."},
)
UNLOCKED = replace(UPDATES, code=UPDATES.code.replace("UNLOCK", "").replace("LOCK", ""))


@pytest.mark.parametrize("engine", ENGINES)
def test_an_update_is_lost_between_a_read_and_a_write(engine: Engine, tmp_path: Path) -> None:
    found = checked(UNLOCKED, "no-error", tmp_path, engine)
    assert found.answer.verdict.value == "violated"
    assert found.answer.confirmed_by == ("reference",)
    steps = actions(found)
    first, second = sorted(steps.index(f"load({thread}.x, 0)") for thread in "ab")
    assert max(first, second) < min(steps.index(f"store({thread}.x, 1)") for thread in "ab")
    assert steps[-1] == "error(assertion)"


@pytest.mark.parametrize("engine", ENGINES)
def test_no_update_is_lost_behind_a_lock(engine: Engine, tmp_path: Path) -> None:
    assert verdict(LOCKED, "no-error", tmp_path, engine) == "holds"


MUTUAL = """
    #include <assert.h>
    int left_wants, right_wants, turn, inside;
    void left(void) { for (;;) {
        BEFORE(left) turn = 1; while (right_wants && turn == 1) ; AFTER(left)
        inside++; assert(inside == 1); inside--; left_wants = 0; } }
    void right(void) { for (;;) {
        BEFORE(right) turn = 0; while (left_wants && turn == 0) ; AFTER(right)
        inside++; assert(inside == 1); inside--; right_wants = 0; } }
    """
PETERSON = Case(
    "#define BEFORE(me) me##_wants = 1;\n#define AFTER(me)\n" + MUTUAL,
    ("left", "right"),
    shared=direct("left_wants", "right_wants", "turn", "inside"),
)
LATE = replace(PETERSON, code="#define AFTER(me) me##_wants = 1;\n#define BEFORE(me)\n" + MUTUAL)


def test_mutual_exclusion_is_proved_and_a_flag_that_is_set_too_late_is_found(tmp_path: Path) -> None:
    for engine in (Engine.EXPLICIT, Engine.PREDICATE):
        assert verdict(PETERSON, "no-error", tmp_path, engine) == "holds"
    assert verdict(PETERSON, "G [inside <= 1]", tmp_path, Engine.EXPLICIT) == "holds"
    late = checked(LATE, "no-error", tmp_path)
    assert late.answer.verdict.value == "violated"
    # Without fairness, one of them may wait for ever while the other one is not run.
    waits = checked(PETERSON, "G([left_wants == 1] => F [left_wants == 0])", tmp_path)
    assert waits.answer.verdict.value == "violated"
    assert waits.answer.confirmed_by == ("reference",)


@pytest.mark.parametrize("engine", [Engine.EXPLICIT, Engine.AUTO])
def test_what_is_stored_before_computing_for_ever_is_seen_by_others(engine: Engine, tmp_path: Path) -> None:
    code = "#include <assert.h>\nint g; void spin(void) { g = 1; for (;;) ; } void other(void) { assert(g == 0); }"
    case = Case(code, ("spin", "other"), shared=direct("g"))
    assert verdict(case, "no-error", tmp_path, engine) == "violated"
    assert verdict(case, "no-deadlock", tmp_path, engine) == "holds"


@pytest.mark.parametrize("engine", ENGINES)
def test_a_deadlock_says_who_waits_for_what(engine: Engine, tmp_path: Path) -> None:
    code = """
    extern void go(int n), never(void);
    int g;
    void one(void) { g = 1; go(0); }
    void two(void) { if (g) never(); else go(0); }
    void three(void) { never(); }
    """
    case = Case(code, ("one", "two", "three"), ("go", "never"), shared=direct("g"))
    found = checked(case, "no-deadlock", tmp_path, engine)
    assert found.answer.verdict.value == "violated"
    waits = "`two` waits for `go(0)`" if "load(two.g, 0)" in actions(found) else "`one` waits for `go(0)` with `two`"
    assert waits in found.answer.explanation or "`three` waits for `never` with `two`" in found.answer.explanation


@pytest.mark.parametrize("engine", ENGINES)
def test_data_that_is_not_known_before_decides_who_takes_part(engine: Engine, tmp_path: Path) -> None:
    code = """
    extern void go(int n); extern int input(void);
    int g;
    void one(void) { int n = input(); go(n); }
    void two(void) { int n = g; go(n); }
    void three(void) { g = 2; }
    """
    case = Case(code, ("one", "two", "three"), ("go",), shared=direct("g"), bounds=(("input()", "{0, 2}"),))
    assert verdict(case, "no-deadlock", tmp_path, engine) == "violated"
    assert verdict(replace(case, bounds=(("input()", "{1}"),)), "no-deadlock", tmp_path, engine) == "violated"
    if engine is not Engine.BMC:
        assert verdict(case, "G !go(1)", tmp_path, engine) == "holds"
        assert verdict(case, "G(go(2) => [g == 2])", tmp_path, engine) == "holds"
        assert verdict(case, "G !go(2)", tmp_path, engine) == "violated"


@pytest.mark.parametrize("fixed", [False, True])
def test_the_queue_of_the_kernel_is_judged_as_where_a_process_holds_it(fixed: bool, tmp_path: Path) -> None:
    text = Path("examples/threads/kernel/queue.c").read_text(encoding="utf-8")
    case = Case(
        ("#define FIXED\n" if fixed else "") + text,
        ("sender(1)", "receiver(2)", "process INTERRUPTS"),
        ("enter_critical", "exit_critical"),
        shared=("entries=process",),
        processes={"INTERRUPTS": "INTERRUPTS = (enter_critical(t:1..2) -> exit_critical(t) -> INTERRUPTS)."},
        bounds=(("entries", "0..3"),),
    )
    directly = replace(case, shared=direct("entries"), bounds=())
    for claim in ("no-deadlock", *(["no-error"] if fixed else [])):
        expected = "holds" if fixed else "violated"
        assert verdict(case, claim, tmp_path) == expected
        assert verdict(directly, claim, tmp_path) == expected


def test_what_is_not_known_of_variables_shared_directly_is_refused_by_name(tmp_path: Path) -> None:
    growing = replace(UNLOCKED, code=UNLOCKED.code.replace("while (done", "for (;;) x++; while (done"))
    both = replace(growing, shared=("x=direct", "done=process"), bounds=(("done", "0..2"),))
    bound = replace(UNLOCKED, bounds=(("x", "0..2"),))
    for case, expected in (
        (both, "a process holds `done`, and other variables are shared directly"),
        (bound, "`x` is shared directly, and has a bound"),
    ):
        with pytest.raises(InputError) as refused:
            checked(case, "no-error", tmp_path)
        assert expected in [problem.message for problem in refused.value.diagnostics]
    both = replace(UNLOCKED, shared=both.shared, bounds=both.bounds)
    assert verdict(both, "no-error", tmp_path) == "violated"
    again = "int g; void again(int n) { g++; if (n) again(n - 1); } void other(void) { for (;;) g++; }"
    with pytest.raises(InputError) as refused:
        checked(Case(again, ("again(2)", "other"), shared=direct("g")), "no-error", tmp_path)
    assert "calls itself" in refused.value.diagnostics[0].message
    assert verdict(UNLOCKED, "ctl: AG EF [x == 2]", tmp_path) == "violated"
    assert verdict(growing, "ctl: AG EF [x == 2]", tmp_path) == "inconclusive"
    with pytest.raises(InputError):
        checked(UNLOCKED, "F nothing", tmp_path)


def test_a_function_with_accesses_has_variables_of_its_own_at_each_call(tmp_path: Path) -> None:
    code = """
    #include <assert.h>
    int g;
    static int add(int n) { int before = g; n += before; g = n; return before; }
    static int twice(int n) { return add(n) + add(n); }
    void one(void) { int sum = twice(2); assert(sum == 2); }
    void two(void) { int unset; int seen = g; if (seen == 5) g = unset; }
    """
    case = Case(code, ("one", "two"), shared=direct("g"))
    for engine in (Engine.EXPLICIT, Engine.BMC):
        assert verdict(case, "no-error", tmp_path, engine) == "holds"
    wrong = replace(case, code=code.replace("seen == 5", "seen == 4"))
    found = checked(wrong, "no-error", tmp_path)
    assert actions(found)[-1] == "error(uninitialised)"


def test_records_pointers_and_functions_that_end_the_program_are_followed(tmp_path: Path) -> None:
    code = """
    #include <stdlib.h>
    int g = 5; extern int pick(int *out); extern void die(void) __attribute__((noreturn));
    struct P { int a, b; };
    static struct P pair(int n) { struct P p = { n, g }; return p; }
    static void put(struct P p, int *to) { *to = p.a + p.b; g = *to; }
    void one(void) { int out = 0, sum; if (pick(&out) > 1) put(pair(out), &sum); else exit(2); }
    void two(void) { if (g == 7) die(); g++; }
    """
    bounds = (("pick()", "0..2"), ("pick.out", "0..2"))
    case = Case(code, ("x = one", "two"), shared=direct("g"), bounds=bounds)
    assert verdict(case, "G [g >= 5]", tmp_path) == "holds"
    assert verdict(case, "G !exit(3)", tmp_path) == "holds"
    found = checked(case, "G !call(two.die)", tmp_path)
    expected = ["call(x.pick, &one::out=0)", "return(x.pick, 2, &one::out=2)", "load(x.g, 5)", "store(x.g, 7)"]
    assert actions(found) == [*expected, "load(two.g, 7)", "call(two.die)"]
    setting = replace(setting_of(case, tmp_path), init="two")
    with pytest.raises(InputError) as refused:
        answer_threads(setting, Manner(), [read_claim("no-error")], Engine.AUTO, silent)
    assert "`two` runs before all threads" in refused.value.diagnostics[0].message


@pytest.mark.parametrize("seed", [1, 3, 6, 7])
def test_random_threads_agree_with_processes_that_hold_what_is_shared(seed: int, tmp_path: Path) -> None:
    counts: Counter[str] = Counter()
    assert not disagreements(seed, tmp_path, counts, (Engine.EXPLICIT,))
    assert any("direct" in what and "inconclusive" not in what for what in counts)


TURN_TAKING = Case(
    """
    extern void meet(void), part(void);
    extern int in(void);
    int g, h;
    void first(void) { for (;;) { meet(); g = in(); part(); } }
    void second(void) { for (;;) { meet(); h = g; part(); } }
    """,
    ("first", "second"),
    ("meet", "part"),
    shared=direct("g"),
)


def test_where_somebody_can_always_go_on_there_is_no_deadlock_whatever_values_are(tmp_path: Path) -> None:
    found = checked(TURN_TAKING, "no-deadlock", tmp_path)
    assert found.answer.verdict.value == "holds"
    assert isinstance(found.answer.evidence, Support)
    assert found.answer.evidence.states > 1
    assert not found.model.partial


def test_a_claim_is_vacuous_in_the_words_in_which_it_was_asked(tmp_path: Path) -> None:
    for bounds in ((), (("in()", "0..1"),)):
        case = replace(TURN_TAKING, bounds=bounds)
        answer = checked(case, "G(load(first.g, 5) => F part)", tmp_path).answer
        assert answer.verdict.value == "vacuous"
        assert "`load(first.g, 5)` never comes true" in answer.explanation


def test_bounds_are_those_that_somebody_gave(tmp_path: Path) -> None:
    found = checked(replace(TURN_TAKING, bounds=(("in()", "0..1"),)), "G [h <= 1]", tmp_path)
    assert found.answer.verdict.value == "holds"
    assert found.model.origin.bounds == (("in()", "0..1"),)


STEPS_OF_FOUR = Case(
    """
    #include <assert.h>
    unsigned at;
    static unsigned raised(unsigned from) { unsigned top = at; return from > top ? 0 : from + 4; }
    void writer(void) { for (;;) { unsigned a = at; a = raised(a > 100000 ? 0 : a); at = a; } }
    void reader(void) { for (;;) { unsigned got = at; assert(got % 4 == 0); } }
    """,
    ("writer", "reader"),
    shared=direct("at"),
)


def _with_predicates(*texts: str, folder: Path, engine: Engine = Engine.PREDICATE) -> Answer:
    setting, claim = setting_of(STEPS_OF_FOUR, folder), read_claim("no-error")
    return answer_threads(setting, PATIENT, [claim], engine, silent, texts)[0].checked[0].answer


def test_predicates_may_speak_of_what_threads_share_and_of_several_threads(tmp_path: Path) -> None:
    texts = ("at % 4 == 0", "raised::from % 4 == 0", "writer.writer::a % 4 == 0 || reader::got == 1")
    answer = _with_predicates(*texts, folder=tmp_path)
    assert answer.verdict.value == "holds"
    assert answer.decided is not None
    asked = {predicate for place, text in answer.decided.given if place for predicate in text.split(", ")}
    assert asked == set(texts)


def test_predicates_that_nobody_can_ask_are_refused_with_the_names_that_there_are(tmp_path: Path) -> None:
    with pytest.raises(InputError) as refused:
        _with_predicates("got == 0", "writer::b == 1", folder=tmp_path)
    first, second = refused.value.diagnostics
    assert first.message.startswith("there is no variable `got` in what is checked")
    assert second.message.startswith("there is no variable `writer::b` in what is checked")
    assert "`reader::got`" in first.help
    assert "%" not in first.help + second.help
    with pytest.raises(InputError, match="does not ask predicates"):
        _with_predicates("at == 0", folder=tmp_path, engine=Engine.BMC)


COUNTED = Case(
    "int x; void up(int who) { while (x < 2) x = x + 1; }",
    ("a = up(0)", "b = up(1)"),
    bounds=(("x", "0..3"),),
)


@pytest.mark.parametrize("engine", [Engine.EXPLICIT, Engine.PREDICATE])
@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("G(store(b.x, 2) => [x >= 1])", "holds"),
        ("G(store(b.x, 2) => [x == 2])", "violated"),
        ("G(load(b.x, 1) => [x == 1])", "holds"),
    ],
)
def test_an_access_is_an_event_before_what_comes_of_it(
    claim: str, expected: str, engine: Engine, tmp_path: Path
) -> None:
    """However the variable is shared: what is stored is there afterwards."""
    by_process = replace(COUNTED, shared=("x=process",))
    assert verdict(by_process, claim, tmp_path, engine) == expected
    assert verdict(replace(COUNTED, shared=direct("x"), bounds=()), claim, tmp_path, engine) == expected

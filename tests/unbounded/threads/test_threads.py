"""Functions that run at the same time: events, processes, shared variables, deadlock."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from stateglass.answers.threads import answer_threads
from stateglass.evidence import Path as Run
from stateglass.evidence import Reason
from stateglass.explore import Manner
from stateglass.logic.reading import read_claim
from stateglass.source import InputError
from stateglass.unbounded.engines import Engine
from stateglass.unbounded.threads.refining import Loop
from stateglass.work import OutOfTime, silent
from tests.unbounded.threads.asking import PATIENT, Case, actions, checked, setting_of, verdict

BOTH = (Engine.EXPLICIT, Engine.PREDICATE)

LOCKS = Case(
    """
    extern void take(int who, int lock);
    extern void put(int who, int lock);
    void worker(int who, int first, int second)
    {
        for (;;) {
            take(who, first);
            take(who, second);
            put(who, second);
            put(who, first);
        }
    }
    """,
    ("worker(0, 0, 1)", "worker(1, 1, 0)", "process LOCK(0)", "process LOCK(1)"),
    ("take", "put"),
    processes={"LOCK": "LOCK(N = 0) = (take(who:0..1, N) -> put(who, N) -> LOCK)."},
)


@pytest.mark.parametrize("engine", BOTH)
def test_a_cycle_of_locks_is_a_deadlock_that_says_who_waits_for_what(engine: Engine, tmp_path: Path) -> None:
    found = checked(LOCKS, "no-deadlock", tmp_path, engine)
    assert found.answer.verdict.value == "violated"
    assert found.answer.confirmed_by == ("reference",)
    assert sorted(actions(found)) == ["take(0, 0)", "take(1, 1)"]
    assert "`worker0` waits for `take(0, 1)` with `LOCK1`" in found.answer.explanation
    assert "`worker1` waits for `take(1, 0)` with `LOCK0`" in found.answer.explanation


@pytest.mark.parametrize(
    ("early", "reason"), [(KeyboardInterrupt, "It was interrupted"), (OutOfTime, "no time is left")]
)
def test_who_does_not_wait_is_told_how_far_it_came(
    early: type[BaseException], reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def judged(*_: object) -> None:
        raise early

    monkeypatch.setattr(Loop, "_judged", judged)
    setting, claim = setting_of(LOCKS, tmp_path), read_claim("no-deadlock")
    checking, _ = answer_threads(setting, PATIENT, [claim], Engine.PREDICATE, silent)
    assert (checking.interrupted, checking.unfinished) == ((True, 1) if early is KeyboardInterrupt else (False, 0))
    answer = checking.checked[0].answer
    assert (answer.verdict.value, answer.reason) == ("inconclusive", Reason.TIMEOUT)
    assert answer.explanation.startswith(f"{reason}; the last abstract run that was looked at does `take(")
    assert answer.decided is not None
    assert answer.decided.rounds == 1


@pytest.mark.parametrize("engine", BOTH)
def test_locks_in_one_order_are_none(engine: Engine, tmp_path: Path) -> None:
    ordered = Case(LOCKS.code, ("worker(0, 0, 1)", "worker(1, 0, 1)", *LOCKS.threads[2:]), LOCKS.events)
    ordered = Case(ordered.code, ordered.threads, ordered.events, processes=LOCKS.processes)
    assert verdict(ordered, "no-deadlock", tmp_path, engine) == "holds"


@pytest.mark.parametrize("engine", BOTH)
def test_threads_that_have_ended_are_no_deadlock(engine: Engine, tmp_path: Path) -> None:
    code = "extern void meet(void); void one(void) { meet(); } void two(void) { meet(); }"
    assert verdict(Case(code, ("one", "two"), ("meet",)), "no-deadlock", tmp_path, engine) == "holds"
    code = "extern void meet(void); void one(void) { meet(); } void two(void) { meet(); meet(); }"
    assert verdict(Case(code, ("one", "two"), ("meet",)), "no-deadlock", tmp_path, engine) == "violated"


@pytest.mark.parametrize("engine", BOTH)
def test_an_error_of_one_thread_ends_all(engine: Engine, tmp_path: Path) -> None:
    code = """
    #include <assert.h>
    extern void go(void), never(void);
    void fails(void) { go(); assert(0); }
    void waits(void) { go(); never(); never(); }
    void other(void) { go(); }
    """
    case = Case(code, ("fails", "waits", "other"), ("go", "never"), processes={})
    assert verdict(case, "no-error", tmp_path, engine) == "violated"


def test_an_event_is_known_to_a_thread_whose_code_has_it_even_if_it_never_comes_there(tmp_path: Path) -> None:
    code = """
    extern void a(void), b(void);
    extern int input(void);
    void one(void) { a(); }
    void two(void) { int n = input(); if (n > 5) a(); for (;;) b(); }
    """
    bounded = Case(code, ("one", "two"), ("a", "b"), bounds=(("input()", "0..3"),))
    found = checked(bounded, "F a", tmp_path)
    assert found.answer.verdict.value == "violated"
    assert set(actions(found)) <= {"b", "call(two.input)", *(f"return(two.input, {n})" for n in range(4))}


@pytest.mark.parametrize("engine", BOTH)
def test_arguments_that_differ_from_run_to_run_mean_all_events_of_a_name(engine: Engine, tmp_path: Path) -> None:
    code = """
    extern int input(void);
    extern void give(int n);
    void giver(void) { give(input()); }
    void taker(void) { give(99); }
    """
    case = Case(code, ("giver", "taker"), ("give",), bounds=(("input()", "0..20"),))
    found = checked(case, "no-deadlock", tmp_path, engine)
    assert found.answer.verdict.value == "violated"
    assert "`taker` waits for `give(99)` with `giver`" in found.answer.explanation
    # With few values, it is known that this event is none of them.
    few = Case(code, case.threads, case.events, bounds=(("input()", "0..5"),))
    assert verdict(few, "no-deadlock", tmp_path, engine) == "holds"


@pytest.mark.parametrize("engine", BOTH)
def test_a_thread_takes_part_in_no_event_that_its_calls_cannot_be(engine: Engine, tmp_path: Path) -> None:
    code = """
    extern void give(int n);
    void giver(void) { for (int n = 0; n < %d; n++) give(n); }
    void taker(void) { give(1); give(200); }
    """
    for rounds in ("1", "2", "3"):
        case = Case(code.replace("%d", rounds), ("giver", "taker"), ("give",))
        assert verdict(case, "no-deadlock", tmp_path, engine) == "holds"


ANSWERED = Case(
    """
    #include <assert.h>
    extern int next(void);
    extern void even(void), odd(void);
    static int last;
    void chooser(void) { for (;;) last = next(); }
    void clock(void) { for (;;) { even(); odd(); } }
    """,
    ("chooser", "clock"),
    ("even", "odd"),
    ("next=process NEXT",),
    processes={"NEXT": "NEXT = (even -> return {$0 == 0} -> STOP | odd -> return {$0 == 1} -> STOP)."},
)


@pytest.mark.parametrize("engine", BOTH)
def test_a_process_answers_calls_one_by_one_and_does_events_meanwhile(engine: Engine, tmp_path: Path) -> None:
    assert verdict(ANSWERED, "no-deadlock", tmp_path, engine) == "holds"
    assert verdict(ANSWERED, "G [last <= 1]", tmp_path, engine) == "holds"
    assert verdict(ANSWERED, "G(even => [last == 0])", tmp_path, engine) == "violated"
    assert verdict(ANSWERED, "G(odd => [last == 0])", tmp_path, engine) == "holds"


@pytest.mark.parametrize("engine", BOTH)
def test_an_answer_arrives_also_where_nobody_looks_at_it(engine: Engine, tmp_path: Path) -> None:
    code = ANSWERED.code.replace("last = next();", "{ next(); if (next() == 1) last = 1; }")
    ignoring = replace(ANSWERED, code=code)
    assert verdict(ignoring, "no-deadlock", tmp_path, engine) == "holds"
    assert verdict(ignoring, "G [last == 0]", tmp_path, engine) == "violated"


@pytest.mark.parametrize("engine", BOTH)
def test_who_is_not_answered_does_not_go_on(engine: Engine, tmp_path: Path) -> None:
    code = ANSWERED.code.replace("last = next();", "{ last = next(); last = 2; }")
    silent = replace(ANSWERED, code=code, processes={"NEXT": "NEXT = STOP."}, bounds=(("next()", "0"),))
    assert verdict(silent, "G [last == 0]", tmp_path, engine) == "holds"


@pytest.mark.parametrize("engine", BOTH)
def test_events_with_data_are_known_as_a_whole_if_that_is_said(engine: Engine, tmp_path: Path) -> None:
    code = "extern void give(int n); void giver(void) { give(1); } void taker(void) { give(2); }"
    case = Case(code, ("giver", "taker"), ("give",))
    assert verdict(case, "no-deadlock", tmp_path, engine) == "holds"
    assert verdict(replace(case, events=("give(*)",)), "no-deadlock", tmp_path, engine) == "violated"


@pytest.mark.parametrize(("first", "expected"), [(1, "violated"), (2, "holds")])
def test_an_event_that_one_thread_names_is_done_by_whoever_may_do_any(
    first: int, expected: str, tmp_path: Path
) -> None:
    code = """
    #include <assert.h>
    extern void give(int n);
    extern int input(void);
    void giver(void) { give(FIRST); give(0); assert(0); }
    void taker(void) { for (;;) { int n = input(); if (n < 2) give(n); } }
    """
    case = Case(code.replace("FIRST", str(first)), ("giver", "taker"), ("give(*)",))
    assert verdict(case, "no-error", tmp_path, Engine.AUTO) == expected


@pytest.mark.parametrize("event", ["give(double n)", "give(const char *n)", "give(struct lock *n)"])
def test_an_event_that_no_number_tells_apart_is_not_taken_for_another_one(event: str, tmp_path: Path) -> None:
    one, other = {"d": ("1.5", "2.5"), "c": ('"a"', '"b"'), "s": ("&one", "&two")}[event[5]]
    code = f"""
    #include <assert.h>
    struct lock {{ char held; }} one, two;
    extern void {event};
    extern int input(void);
    void giver(void) {{ give({one}); assert(0); }}
    void taker(void) {{ give(input() ? {one} : {other}); }}
    """
    case = Case(code, ("giver", "taker"), ("give",))
    answer = checked(case, "no-error", tmp_path).answer
    assert (answer.verdict.value, answer.reason) == ("inconclusive", Reason.UNSUPPORTED)
    assert "`give` has other arguments than whole numbers" in answer.explanation


RACE = Case(
    """
    #include <assert.h>
    int count, done;
    void adder(void) { count = count + 1; done = done + 1; }
    void looker(void) { while (done < 2) { } assert(count == 2); }
    """,
    ("a = adder", "b = adder", "looker"),
    shared=("count=process", "done=process"),
    bounds=(("count", "0..3"), ("done", "0..3")),
)


@pytest.mark.parametrize("engine", BOTH)
def test_reads_and_writes_of_shared_variables_are_steps_of_their_own(engine: Engine, tmp_path: Path) -> None:
    found = checked(RACE, "no-error", tmp_path, engine)
    assert found.answer.verdict.value == "violated"
    steps = actions(found)
    # Both have read before one has written: an update is lost.
    reads = [at for at, step in enumerate(steps) if step in ("load(a.count, 0)", "load(b.count, 0)")]
    writes = [at for at, step in enumerate(steps) if step in ("store(a.count, 1)", "store(b.count, 1)")]
    assert len(reads) == len(writes) == 2
    assert max(reads) < max(writes)
    assert verdict(RACE, "G [count <= 2]", tmp_path, engine) == "holds"


@pytest.mark.parametrize("engine", BOTH)
def test_a_value_beyond_the_bound_of_a_shared_variable_is_no_answer(engine: Engine, tmp_path: Path) -> None:
    narrow = Case(RACE.code, RACE.threads, shared=RACE.shared, bounds=(("count", "0..1"), ("done", "0..3")))
    assert verdict(narrow, "no-deadlock", tmp_path, engine) == "inconclusive"


def test_a_thread_may_leave_the_bound_before_others_have_moved(tmp_path: Path) -> None:
    code = "int count; void up(void) { count++; } void down(void) { count--; }"
    case = Case(code, ("up", "down"), shared=("count=process",), bounds=(("count", "0..2"),))
    found = checked(case, "no-error", tmp_path, Engine.PREDICATE).answer
    assert (found.verdict.value, found.reason) == ("inconclusive", Reason.BOUND)
    assert "`down` comes to where it is not known what follows" in found.explanation


def test_a_variable_that_two_threads_use_is_refused_until_somebody_says_how(tmp_path: Path) -> None:
    with pytest.raises(InputError) as refused:
        setting_of(Case(RACE.code, RACE.threads), tmp_path)
    texts = [problem.message for problem in refused.value.diagnostics]
    assert texts == [
        "the threads `a` and `b` both use the variable `count`",
        "the threads `a` and `b` both use the variable `done`",
    ]


def test_a_constant_that_two_threads_read_is_nobodys_concern(tmp_path: Path) -> None:
    code = "extern void tick(int n); int step = 2; void one(void) { tick(step); } void two(void) { tick(step); }"
    assert verdict(Case(code, ("one", "two"), ("tick",)), "no-deadlock", tmp_path) == "holds"


SPEED = Case(
    """
    extern void go(void);
    static int near, far;
    void one(void) { for (;;) { go(); near = !near; } }
    void two(void) { for (;;) { go(); far = !far; } }
    """,
    ("one", "two"),
    ("go",),
)


@pytest.mark.parametrize("engine", BOTH)
def test_what_follows_an_event_is_done_by_each_thread_in_its_own_time(engine: Engine, tmp_path: Path) -> None:
    same = "[one.near == 0 && two.far == 0 || one.near != 0 && two.far != 0]"
    assert verdict(SPEED, f"G {same}", tmp_path, engine) == "violated"
    assert verdict(SPEED, f"G(go => {same})", tmp_path, engine) == "holds"


@pytest.mark.parametrize("engine", BOTH)
def test_others_may_be_faster_than_the_first_assignment_of_a_thread(engine: Engine, tmp_path: Path) -> None:
    code = """
    extern void tick(void);
    static int ready;
    void starts(void) { ready = 1; for (;;) ; }
    void ticks(void) { for (;;) tick(); }
    """
    found = checked(Case(code, ("starts", "ticks"), ("tick",)), "G(tick => [ready == 1])", tmp_path, engine)
    assert found.answer.verdict.value == "violated"
    assert actions(found) == ["tick"]


def test_others_may_be_faster_than_what_follows_a_read(tmp_path: Path) -> None:
    code = """
    static int door, seen;
    void looks(void) { if (door == 0) seen = 1; for (;;) ; }
    void opens(void) { door = 1; for (;;) ; }
    """
    case = Case(code, ("looks", "opens"), shared=("door=process",), bounds=(("door", "0..1"),))
    found = checked(case, "G([door == 1 && seen == 0] => G [seen == 0])", tmp_path, Engine.EXPLICIT)
    assert found.answer.verdict.value == "violated"
    assert found.answer.confirmed_by == ("reference",)


def test_claims_that_count_silent_steps_need_bounds(tmp_path: Path) -> None:
    claim, every = "ltl: X X X go", Manner(every_step=True)
    assert checked(SPEED, claim, tmp_path, Engine.EXPLICIT, every).answer.verdict.value == "violated"
    assert checked(SPEED, claim, tmp_path, Engine.PREDICATE, every).answer.verdict.value == "inconclusive"


LOOPS = Case(
    """
    extern int input(void);
    extern void req(void), ack(void), nak(void);
    static unsigned sequence, total;
    void answers(void) { for (;;) { int n = input(); req(); if (n == sequence) ack(); else nak(); } }
    void counts(void) { for (;;) { int n = input(); total++; req(); if (n) ack(); } }
    void wraps(void) { for (;;) { int n = input(); sequence = (sequence + 1) % 7; req(); if (n > 9) ack(); } }
    void steps(void) { for (;;) { req(); if (sequence == 7) ack(); sequence = (sequence + 1) % 5; } }
    void remembers(void) { int last = 0; for (;;) { int n = input(); if (n != last) ack(); else req(); last = n; } }
    """,
    (),
    ("req", "ack", "nak"),
)


@pytest.mark.parametrize(
    ("thread", "claim"),
    [
        ("answers", "G F ack"),
        ("answers", "G(req => F nak)"),
        ("counts", "G(req => F ack)"),
        ("wraps", "G(req => F ack)"),
        ("steps", "G F ack"),
        ("remembers", "F G !req"),
        ("remembers", "G F ack"),
    ],
)
def test_a_loop_that_comes_back_to_what_it_was_goes_on_for_ever(thread: str, claim: str, tmp_path: Path) -> None:
    found = checked(Case(LOOPS.code, (thread,), LOOPS.events), claim, tmp_path, Engine.PREDICATE)
    assert found.answer.verdict.value == "violated"
    assert found.answer.confirmed_by == ("reference",)
    path = found.answer.evidence
    assert isinstance(path, Run)
    assert path.loop_start is not None
    if thread == "counts":  # it is another one each time, and nothing depends on it
        assert all("total" not in name for step in path.steps for name, *_ in step.changes)


def test_computing_with_values_of_several_threads_needs_bounds(tmp_path: Path) -> None:
    assert verdict(SPEED, "G [near == far]", tmp_path) == "violated"
    assert verdict(SPEED, "G [near == far]", tmp_path, Engine.PREDICATE) == "inconclusive"


UNBOUNDED = Case(
    """
    #include <assert.h>
    extern int demand(void);
    extern void put(void), get(void);
    void producer(void) { int n; for (n = demand(); n > 0; n--) put(); }
    void consumer(void) { unsigned got = 0; for (;;) { get(); got += 2; assert(got % 2 == 0); } }
    """,
    ("producer", "consumer", "process BUFFER"),
    ("put", "get"),
    processes={
        "BUFFER": "BUFFER = COUNT[0], COUNT[n:0..2] ="
        " (when (n < 2) put -> COUNT[n + 1] | when (n > 0) get -> COUNT[n - 1])."
    },
)


def test_data_need_not_be_bounded(tmp_path: Path) -> None:
    assert verdict(UNBOUNDED, "no-error", tmp_path) == "holds"
    assert verdict(UNBOUNDED, "!get W put", tmp_path) == "holds"
    found = checked(UNBOUNDED, "no-deadlock", tmp_path)
    assert found.answer.verdict.value == "violated"
    assert "`producer` has ended; `consumer` waits for `get` with `BUFFER`" in found.answer.explanation


@pytest.mark.parametrize("engine", BOTH)
def test_threads_conform_to_a_process_that_can_do_all_they_do(engine: Engine, tmp_path: Path) -> None:
    code = """
    extern void open_it(int who), close_it(int who);
    extern int input(void);
    void user(int who) { int n; for (n = input(); n > 0; n--) { open_it(who); close_it(who); } }
    """
    case = Case(code, ("user(0)", "user(1)"), ("open_it", "close_it"), bounds=(("input()", "0..3"),))
    (tmp_path / "each.fsp").write_text("EACH = (open_it(0) -> close_it(0) -> EACH).")
    assert verdict(case, f"conforms to {tmp_path / 'each.fsp'}", tmp_path, engine) == "holds"
    (tmp_path / "one.fsp").write_text("ONE = (open_it(who:0..1) -> close_it(who) -> ONE).")
    found = checked(case, f"conforms to {tmp_path / 'one.fsp'}", tmp_path, engine)
    assert found.answer.verdict.value == "violated"
    assert [a for a in actions(found) if "_it" in a] in (["open_it(0)", "open_it(1)"], ["open_it(1)", "open_it(0)"])


@pytest.mark.parametrize("bound", [(), (("input()", "0..3"),)])
@pytest.mark.parametrize(
    ("meant", "expected"),
    [
        ("M = (begin(0) -> STOP).", "violated"),
        ("M = (begin(n:0..1) -> M).", "holds"),
        ('M = ("call(node.input)" -> begin(1) -> M).', "violated"),
        ('M = ("call(node.input)" -> M | begin(1) -> M | begun(1) -> M).', "holds"),
        ("M = (begun(1) -> M).", "vacuous"),
        ("M = (begin -> M).", "vacuous"),
        ("M = (begin(3000000000) -> M).", "vacuous"),
        ("M = STOP.", "vacuous"),
    ],
)
def test_data_and_inputs_that_are_meant_are_told_apart(
    meant: str, expected: str, bound: tuple[tuple[str, str], ...], tmp_path: Path
) -> None:
    code = "extern void begin(int n); extern int input(void); void node(void) { for (;;) begin(input()); }"
    (tmp_path / "meant.fsp").write_text(meant)
    found = checked(Case(code, ("node",), ("begin",), bounds=bound), f"conforms to {tmp_path / 'meant.fsp'}", tmp_path)
    assert found.answer.verdict.value == expected
    if "begun" in meant:
        assert "o thread knows `begun(1)`." in found.answer.explanation


def test_no_event_has_a_number_that_its_type_does_not_hold(tmp_path: Path) -> None:
    """As bits, 261 would be the 5 that may be sent."""
    code = """
    extern void send_it(unsigned char n);
    extern int input(void);
    void user(void) { send_it(input()); send_it(input() ? 5 : 3); for (;;) send_it(7); }
    """
    case = Case(code, ("user",), ("send_it",))
    assert verdict(case, "F (send_it(3) | send_it(261))", tmp_path) == "violated"
    assert verdict(case, "F (send_it(3) | send_it(5))", tmp_path) == "holds"
    assert verdict(case, "G !send_it(261)", tmp_path) == "holds"


@pytest.mark.parametrize(
    ("init", "told"),
    [("limit = 2; went(0);", ""), ("limit = in();", "gets `in()` from outside"), ("x = 5;", "uses `x`, which")],
)
def test_what_runs_before_all_threads_is_the_same_for_each(init: str, told: str, tmp_path: Path) -> None:
    """Each runs it by itself: two values from outside would be different ones, and `x` be stored by whoever is last."""
    code = f"""
    #include <assert.h>
    extern int in(void); extern void went(int n);
    int x, limit; void init(void) {{ {init} }}
    void one(void) {{ x = 7; assert(x == 7); went(limit); }}
    void two(void) {{ int seen = x; went(limit); }}
    """
    case = Case(code, ("one", "two"), ("went",), shared=("x=process",), bounds=(("x", "0..9"),))
    setting, asked = replace(setting_of(case, tmp_path), init="init"), [read_claim("no-deadlock")]
    if not told:
        checking, _ = answer_threads(setting, Manner(), asked, Engine.AUTO, silent)
        assert checking.checked[0].answer.verdict.value == "holds"
        return
    with pytest.raises(InputError) as refused:
        answer_threads(setting, Manner(), asked, Engine.AUTO, silent)
    assert f"`init` runs once before all threads and {told}" in refused.value.diagnostics[0].message


@pytest.mark.parametrize(("how", "bounds"), [("direct", ()), ("process", (("x", "0..9"),))])
def test_constructors_do_not_store_what_threads_share(
    how: str, bounds: tuple[tuple[str, str], ...], tmp_path: Path
) -> None:
    """Nobody would take part in what they store: threads would find the first value still."""
    code = """
    #include <assert.h>
    int x = 1;
    __attribute__((constructor)) static void first(void) { x = 5; }
    void one(void) { assert(x == 1); x = 2; } void two(void) { int seen = x; }
    """
    case = Case(code, ("one", "two"), shared=(f"x={how}",), bounds=bounds)
    with pytest.raises(InputError) as refused:
        verdict(case, "no-error", tmp_path)
    assert "`first` runs once before all threads and uses `x`" in refused.value.diagnostics[0].message


def test_what_is_wrong_with_threads_is_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(InputError) as refused:
        setting_of(Case(SPEED.code, ("one(3)", "tow", "process P", "="), ("went",), ("go=P",)), tmp_path)
    texts = [problem.message for problem in refused.value.diagnostics]
    assert texts == [
        "`one` takes no arguments, and 1 stands in `one(3)`",
        "there is no function `tow`",
        "there is no process `P`",
        "`=` is no thread",
        "there is no function `went`",
        "`go=P` says of no function which process answers it",
    ]


@pytest.mark.parametrize("engine", [Engine.EXPLICIT, Engine.PREDICATE])
def test_a_process_may_hold_a_variable_that_threads_only_write(engine: Engine, tmp_path: Path) -> None:
    case = Case(
        "int mark; void left(void) { mark = 1; } void right(void) { mark = 2; }",
        ("left", "right"),
        shared=("mark=process",),
        bounds=(("mark", "0..2"),),
    )
    assert verdict(case, "no-error", tmp_path, engine) == "holds"
    assert verdict(case, "no-deadlock", tmp_path, engine) == "holds"
    assert verdict(replace(case, bounds=(("mark", "0..1"),)), "no-deadlock", tmp_path, engine) == "inconclusive"


def test_all_that_processes_cannot_hold_is_told_at_once(tmp_path: Path) -> None:
    code = "int row, low, high; void left(void) { row = low = *&high; } void right(void) { high = row + low; }"
    shared = tuple(f"{name}=process" for name in ("row", "low", "high"))
    with pytest.raises(InputError) as error:
        setting_of(Case(code, ("left", "right"), shared=shared, bounds=(("row", "1..2"),)), tmp_path)
    assert [problem.message for problem in error.value.diagnostics] == [
        "`high` is shared, and pointers lead to it",
        "`row` is 0 at first, which is not in its bound",
        "the process that holds `low` needs values",
        "the process that holds `high` needs values",
    ]


@pytest.mark.parametrize("shared", [("g=process",), ("g=direct",)])
def test_events_that_a_process_does_by_itself_are_told_if_others_do_the_like_together(
    shared: tuple[str, ...], tmp_path: Path
) -> None:
    code = """
    extern void lock(int who), unlock(int who); int g;
    void task(int who) { lock(who); g = who; unlock(who); unlock(who); }
    """
    text = "LOCK = (lock(who:0..{}) -> unlock(who) -> LOCK)."
    bounds = (("g", "0..1"),) if shared == ("g=process",) else ()
    threads = ("task(0)", "task(1)", "process LOCK")
    for most, expected in ((1, []), (2, ["`LOCK` does `lock(2)` by itself: nobody else knows it"])):
        case = Case(code, threads, ("lock", "unlock"), (), shared, {"LOCK": text.format(most)}, bounds)
        found = checked(case, "no-deadlock", tmp_path)
        assert found.answer.verdict.value == ("holds" if expected else "violated")
        said = [one.text for one in found.model.origin.assumptions if one.subject == "lock"]
        assert [text for text in said if "by itself" in text] == expected


DROPPING = Case(
    """
    void __VERIFIER_assume(int);
    void reach_error(void);
    int pick(void);
    void go(void);
    void left(void) { if (pick()) { go(); __VERIFIER_assume(0); } }
    void right(void) { go(); reach_error(); }
    """,
    ("left", "right"),
    ("go",),
    bounds=(("pick()", "0..1"),),
)


@pytest.mark.parametrize("engine", [Engine.AUTO, *BOTH])
def test_an_error_of_one_thread_comes_before_what_another_one_assumes_later(engine: Engine, tmp_path: Path) -> None:
    assert verdict(DROPPING, "no-error", tmp_path, engine) == "violated"


@pytest.mark.parametrize("engine", [Engine.AUTO, *BOTH])
@pytest.mark.parametrize("claim", ["no-deadlock", "G !go"])
def test_what_threads_do_that_may_be_dropped_is_not_decided(engine: Engine, claim: str, tmp_path: Path) -> None:
    assert verdict(DROPPING, claim, tmp_path, engine) == "inconclusive"


@pytest.mark.parametrize("engine", BOTH)
def test_claims_may_ask_for_reads_and_writes_of_what_processes_hold(engine: Engine, tmp_path: Path) -> None:
    code = "int g, seen; void left(void) { g = 1; } void right(void) { seen = g; }"
    case = Case(code, ("left", "right"), shared=("g=process",), bounds=(("g", "0..2"),))
    assert verdict(case, "G !load(right.g, 1)", tmp_path, engine) == "violated"
    assert verdict(case, "!load(right.g, 1) W store(left.g, 1)", tmp_path, engine) == "holds"
    assert verdict(case, "F store(left.g, 1)", tmp_path, engine) == "holds"

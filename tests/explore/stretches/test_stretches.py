"""What stretches are made of: where code rests, what is told apart there, and what is not known."""

from __future__ import annotations

from pathlib import Path

import pytest

from stateglass.explore import Manner, explore
from stateglass.explore.stretches import Flow, Phase, Seen, flow_of, sliced
from stateglass.frontend import read_program
from stateglass.model import Verb, parsed
from stateglass.system import System, build_system
from tests.explore.stretches.concretely import reached


def system_of(folder: Path, code: str, *functions: str, init: str | None = None, bounds: str = "") -> System:
    file = folder / "code.c"
    file.write_text(code, encoding="utf-8")
    parts = (one.rpartition("=") for one in bounds.split(";") if one)
    given = tuple((name, values) for name, _, values in parts)
    return build_system(read_program((str(file),)).program, functions or ("main",), init=init, bounds=given)


def phases(flow: Flow) -> set[Phase]:
    return {rest.phase for rest in flow.rests}


def reached_ends(system: System, flow: Flow) -> set[str]:
    """The ends that runs come to, as they are called."""
    numbers = {state[0] for state in reached(system, flow, 10_000).states}
    return {str(rest).partition(" (")[0] for rest in flow.rests if rest.number in numbers and rest.phase.is_end}


def words(system: System, seen: Seen) -> set[str]:
    """The actions that runs show."""
    flow = sliced(flow_of(system, seen))
    return set(reached(system, flow, 10_000).model().labels)


# ---- loops


@pytest.mark.parametrize(
    "loop",
    [
        "for (int i = 0; i < 8; i++) total += table[i];",
        "unsigned char n = 3; while (n--) total ^= 1;",
        'total = (int)strlen("seven");',
        "for (int i = 0; i < 3; i++) for (int k = i; k < 3; k++) total += k;",
        "int *p = table; while (p != table + 8) total += *p++;",
    ],
)
def test_a_loop_that_counts_needs_no_rest(loop: str, tmp_path: Path) -> None:
    code = f"#include <string.h>\nint table[8], total;\nint main(void) {{ {loop} return total; }}"
    assert Phase.LOOP not in phases(flow_of(system_of(tmp_path, code)))


@pytest.mark.parametrize(
    "loop",
    [
        "while (get()) total ^= 1;",
        "for (int i = 0; i < 1000; i++) total ^= i;",
        "unsigned n = 0; while (n < 4) if (get()) n++;",
        "int on = 1; while (on) on = get();",
        "for (int i = get(); i < 4; i++) total ^= i;",
        "again: total ^= 1; if (get()) goto again;",
    ],
)
def test_a_loop_rests_if_it_is_not_known_how_often_it_goes_on(loop: str, tmp_path: Path) -> None:
    code = f"int total; _Bool get(void);\nint main(void) {{ {loop} return total; }}"
    flow = flow_of(system_of(tmp_path, code))
    assert len(flow.of_phase(Phase.LOOP)) == 1


# ---- what is told apart at rests


def test_what_is_never_read_again_has_no_slot(tmp_path: Path) -> None:
    code = """_Bool get(void); void use(int);
    int main(void) { int a = get(), b = get(); use(a); while (get()) b = !b; return b; }"""
    (rest,) = flow_of(system_of(tmp_path, code)).of_phase(Phase.LOOP)
    assert [slot.name for slot in rest.slots] == ["main::b"]


def test_ways_that_no_values_lead_along_are_left_out(tmp_path: Path) -> None:
    code = """_Bool get(void); int total;
    int main(void) { int x = 0; while (get()) { x = get() ? 5 : x & 7; total = x * x + 1; } return total; }"""
    assert not flow_of(system_of(tmp_path, code)).of_phase(Phase.FAILED)


# ---- memory


def test_what_a_function_without_a_body_may_have_written_is_not_known(tmp_path: Path) -> None:
    code = """void fill(void *place, int n); int last;
    int main(void) { int text[4]; fill(text, 16); last = text[1]; return 0; }"""
    system = system_of(tmp_path, code)
    assert reached_ends(system, flow_of(system)) == {
        "lost memory is read that a function without a body may have written"
    }


def test_what_an_earlier_call_was_lent_is_not_known(tmp_path: Path) -> None:
    code = "int *kept, seen; void take(int *p) { if (kept) seen = *kept; kept = p; }"
    system = system_of(tmp_path, code, "take", bounds="take.p=1..2")
    assert reached_ends(system, flow_of(system)) == set()
    code = "int *kept, seen; void take(int *p) { kept = p; } void look(void) { if (kept) seen = *kept; }"
    system = system_of(tmp_path, code, "take", "look", bounds="take.p=1..2")
    assert reached_ends(system, flow_of(system)) == {"lost memory is read that an earlier call was given a pointer to"}


def test_a_pointer_to_what_is_over_is_an_error_only_where_it_is_used(tmp_path: Path) -> None:
    code = """_Bool get(void); int *kept, other;
    static void leave(void) { int gone = 1; kept = get() ? &gone : &other; }
    int main(void) { leave(); leave(); %s return 0; }"""
    fine = system_of(tmp_path, code % "kept = &other; *kept = 2;")
    assert reached_ends(fine, flow_of(fine)) == {"over"}
    wrong = system_of(tmp_path, code % "*kept = 2;")
    assert reached_ends(wrong, flow_of(wrong)) == {"over", "failed dangling"}


def test_a_variable_that_begins_anew_is_not_what_an_old_pointer_leads_to(tmp_path: Path) -> None:
    code = """int main(void) {
        int *old = 0;
        for (int i = 0; i < 3; i++) { int fresh = i; if (old) *old = 7; if (i == %d) old = &fresh; }
        return 0; }"""
    for kept, ends in ((2, {"over"}), (1, {"failed dangling"})):
        system = system_of(tmp_path, code % kept)
        assert reached_ends(system, flow_of(system)) == ends


# ---- calls and ends


def test_functions_without_a_body_are_called_through_pointers(tmp_path: Path) -> None:
    code = """_Bool get(void); static _Bool no(void) { return 0; }
    int main(void) { _Bool (*ask)(void) = get() ? get : no; return ask(); }"""
    system = system_of(tmp_path, code)
    assert words(system, Seen(events=True)) == set(explore(system).model.labels)


def test_the_end_of_a_program_within_calls(tmp_path: Path) -> None:
    code = """#include <stdlib.h>
    _Bool get(void); static void leave(int n) { if (get()) exit(n / (n - 1)); }
    int main(void) { leave(2); leave(1); }"""
    system = system_of(tmp_path, code)
    assert words(system, Seen(events=True)) == set(explore(system).model.labels)
    assert {"exit(2)", "exit(0)", "error(division)"} <= words(system, Seen(events=True))


@pytest.mark.parametrize("body", ["level = 3;", "level = get();", "if (x) level = get();"])
def test_an_init_function_is_seen_if_it_chooses_or_shows_something(body: str, tmp_path: Path) -> None:
    code = f"int level; _Bool get(void); void begin(int x) {{ {body} }} int step(void) {{ return level; }}"
    system = system_of(tmp_path, code, "step", init="begin", bounds="begin.x=2")
    assert words(system, Seen(events=True)) == set(explore(system).model.labels)


def test_what_a_function_without_a_body_writes_where_nothing_is(tmp_path: Path) -> None:
    """It has returned when that shows, and all that it writes was chosen."""
    code = """struct pair { char first, second; }; struct pair *kept; void fill(struct pair *p);
    static void leave(void) { struct pair gone; kept = &gone; }
    int main(void) { leave(); fill(kept); return 0; }"""
    system = system_of(tmp_path, code, bounds="fill.p.first=1..2;fill.p.second=3..4")
    found = sliced(flow_of(system, Seen(events=True)))
    (last,) = (stretch for stretch in found.stretches if found.rests[stretch.target].phase is Phase.FAILED)
    assert [one.name for one in last.chosen] == ["fill.p.first", "fill.p.second"]
    assert last.action is not None
    assert last.action.verb is Verb.RETURN


def test_rows_of_several_lengths_are_written_as_far_as_they_go(tmp_path: Path) -> None:
    code = """void fill(char *p, int n); char text[3];
    int main(void) { fill(text, 3); return text[0] + 10 * text[1] + 100 * text[2]; }"""
    system = system_of(tmp_path, code, bounds="fill.p=list 1..3 of 5")
    assert words(system, Seen(events=True)) == {
        "call(main)", "call(fill, 3)", "return(fill)", "exit(5)", "exit(55)", "exit(555)"
    }  # fmt: skip


def test_an_init_function_may_leave_a_pointer_to_what_is_over(tmp_path: Path) -> None:
    code = "int *kept; void begin(void) { int gone = 1; kept = &gone; } int step(void) { return *kept; }"
    system = system_of(tmp_path, code, "step", init="begin")
    assert words(system, Seen(events=True)) == set(explore(system).model.labels) == {"call(step)", "error(dangling)"}


# ---- what is watched


@pytest.mark.parametrize(
    "body",
    [
        "level = x; level = 2; level = 2;",
        "level = get();",
        "level = twice(x);",
        "fill(&level);",
        "level = sensor;",
        "if (x) level = 1; get(); level = 0;",
    ],
)
def test_each_value_of_a_variable_that_is_watched_is_seen(body: str, tmp_path: Path) -> None:
    code = f"""int level; volatile _Bool sensor; _Bool get(void); void fill(int *p);
    static int twice(int x) {{ level = 5; return 2 * x; }}
    void step(int x) {{ {body} }}"""
    bounds = "step.x=0..1" + (";fill.p=1..2" if "fill(" in body else "")
    system = system_of(tmp_path, code, "step", bounds=bounds)
    model = explore(system, Manner(watch=frozenset({"level"}))).model
    proposition = model.proposition("level")
    assert proposition is not None
    flow = sliced(flow_of(system, Seen(events=True, watch=frozenset({"level"}))), (0,))
    found = reached(system, flow, 10_000)
    foretold = {
        found.value(number, "level")
        for number, (rest, _) in enumerate(found.states)
        if flow.rests[rest].phase is not Phase.LOOP
    }
    assert foretold == {int(value) for value in proposition.values}
    assert not any(parsed(label).error_kind for label in model.labels)

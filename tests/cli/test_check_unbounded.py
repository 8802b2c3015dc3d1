"""`stateglass check` where inputs have no bounds: proofs, runs with values far away, engines by name, mistakes."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from stateglass.cli.exits import Exit
from stateglass.explore import Exploration, Manner, explore
from stateglass.system import System
from tests.cli.running import stateglass

needs_compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no compiler")

RETRY = """\
#include <assert.h>
extern int send(int packet);

int main(void)
{
    int room = 8, under_way = 0;
    while (send(room)) {
        if (room > 0) {
            room--;
            under_way++;
        }
        if (under_way > 0 && send(under_way)) {
            under_way--;
            room++;
        }
    }
    assert(room + under_way == 8);
    return room;
}
"""
FAR = """\
#include <assert.h>
static unsigned total;
void add(unsigned amount)
{
    total += amount;
    assert(total != 123456789);
}
"""


@pytest.fixture
def retry(here: Path) -> str:
    Path("retry.c").write_text(RETRY, encoding="utf-8")
    return "retry.c"


@pytest.fixture
def far(here: Path) -> str:
    Path("far.c").write_text(FAR, encoding="utf-8")
    return "far.c"


def verdict(*argv: str) -> dict[str, Any]:
    ran = stateglass("check", *argv, "--format", "json")
    found = json.loads(ran.out)
    assert "errors" not in found, ran.err
    (only,) = found["verdicts"]
    assert isinstance(only, dict)
    return only


def test_a_proof_names_its_invariant(retry: str) -> None:
    found = verdict(retry)
    assert (found["verdict"], found["engine"], found["numbers"]) == ("holds", "spacer", "bits")
    (invariant,) = found["invariant"]
    assert invariant["place"] == "loop at retry.c:7"
    assert "main::room + main::under_way == 8" in invariant["text"]
    assert found["evidence"]["confirmed_by"] == ["solver"]
    assert "send: it has no body: it returns any value" in found["assumptions"]
    ran = stateglass("check", retry)
    assert ran.status == Exit.OK
    assert "loop at retry.c:7: " in ran.out
    assert "for all values of inputs without bounds" in ran.err


def test_a_value_far_away_is_found_and_executed(far: str) -> None:
    found = verdict(far)
    assert found["verdict"] == "violated"
    assert found["evidence"]["confirmed_by"][0] == "reference"
    actions = [step["action"] for step in found["evidence"]["steps"]]
    assert actions[-1] == "error(assertion)"
    assert actions[0].startswith("call(add, ")


@needs_compiler
def test_a_run_is_done_by_the_compiled_code_and_can_be_replayed(far: str) -> None:
    ran = stateglass("check", far, "-o", "evidence.json")
    assert ran.status == Exit.FINDINGS
    (found,) = json.loads(Path("evidence.json").read_text(encoding="utf-8"))["verdicts"]
    assert found["evidence"]["confirmed_by"] == ["reference", "replay"]
    assert stateglass("replay", "evidence.json").status == Exit.OK


def test_what_is_left_out_is_no_proof_and_hides_no_assertion(retry: str) -> None:
    found = verdict(retry, "--ub", "ignore")
    assert (found["verdict"], found["reason"]) == ("inconclusive", "partial")
    Path(retry).write_text(RETRY.replace("== 8)", "== 7)"), encoding="utf-8")
    assert verdict(retry, "--ub", "ignore")["verdict"] == "violated"


@pytest.mark.parametrize("engine", ["spacer", "bmc", "predicate"])
def test_engines_by_name(far: str, engine: str) -> None:
    found = verdict(far, "--engine", engine)
    assert (found["verdict"], found["engine"]) == ("violated", engine)


@pytest.mark.parametrize("engine", ["spacer", "predicate"])
def test_engines_that_prove(retry: str, engine: str) -> None:
    found = verdict(retry, "--engine", engine)
    assert (found["verdict"], found["engine"]) == ("holds", engine)


def test_an_engine_in_the_project_file(far: str) -> None:
    text = 'schema = 1\n[source]\nfiles = ["far.c"]\n[options]\nengine = "spacer"\n'
    Path("stateglass.toml").write_text(text, encoding="utf-8")
    assert verdict()["engine"] == "spacer"
    assert verdict("--engine", "bmc")["engine"] == "bmc"


def test_bounds_are_asked_for_where_every_state_is_looked_at(far: str) -> None:
    for argv in (["check", far, "--engine", "explicit"], ["extract", far]):
        ran = stateglass(*argv)
        assert ran.status == Exit.BAD_INPUT
        assert "1 input needs a bound: `add.amount` (uint32)" in ran.err


def test_claims_that_need_all_states_ask_for_bounds(far: str) -> None:
    ran = stateglass("check", far, "--claim", "ctl: AG EF [total == 0]", "--claim", "no-error")
    assert ran.status == Exit.BAD_INPUT
    assert "`ctl: AG EF [total == 0]` needs bounds of all inputs; no-error and linear claims do not" in ran.err
    stepwise = stateglass("check", far, "--claim", "G X [total >= 0]", "--steps", "all")
    assert stepwise.status == Exit.BAD_INPUT
    assert "needs bounds of all inputs; with `--steps all`, no-error alone does not" in stepwise.err
    refused = stateglass("check", far, "--bound", "add.amount=0..1", "--engine", "bmc", "--claim", "no-deadlock")
    assert refused.status == Exit.BAD_INPUT
    assert "`no-deadlock` is not decided with --engine bmc" in refused.err


def test_what_another_engine_decides_is_not_asked_for_bounds(here: Path) -> None:
    Path("plain.c").write_text("static int n;\nvoid f(int v) { n = v & 1; }\n", encoding="utf-8")
    refused = stateglass("check", "plain.c", "--engine", "bmc", "--claim", "G([n <= 1])", "--claim", "no-livelock")
    assert refused.status == Exit.BAD_INPUT
    assert "`G([n <= 1])` is not decided with --engine bmc" in refused.err
    assert "`no-livelock` needs bounds of all inputs" in refused.err


STORE = """\
static int data, max = 4;
void incr(int by) { if (by > 0 && by <= max - data) data += by; }
void decr(int by) { if (by > 0 && by <= data) data -= by; }
"""


def test_linear_claims(here: Path) -> None:
    Path("store.c").write_text(STORE, encoding="utf-8")
    claims = ["G([data <= max])", "G([data < 4])", "G(call(incr, *) => F return(incr))", "G F [data == 0]"]
    listed = [word for claim in claims for word in ("--claim", claim)]
    ran = stateglass("check", "store.c", "--function", "incr", "--function", "decr", *listed, "--format", "json")
    found = json.loads(ran.out)["verdicts"]
    assert [v["verdict"] for v in found] == ["holds", "violated", "holds", "violated"]
    assert {v["engine"] for v in found} == {"predicate"}
    assert found[0]["told_apart"] == [{"place": "between calls", "text": "data <= 4"}]
    assert found[3]["evidence"]["loop_start"] is not None
    assert found[3]["evidence"]["confirmed_by"][0] == "reference"


@pytest.mark.parametrize("engine", ["explicit", "predicate"])
def test_an_event_that_stands_in_the_code_is_known_though_it_never_happens(here: Path, engine: str) -> None:
    code = "extern int input(void); extern void alarm(int n, int m); "
    code += "void f(void) { int n = input(); if (n > 5) alarm(n, 1); }"
    Path("alarm.c").write_text(code, encoding="utf-8")
    claims = ["G !call(alarm, *)", "G(call(alarm, 7, *) => F return(f))", "G(call(alarm, 7, 1) => F return(f))"]
    listed = [word for claim in claims for word in ("--claim", claim)]
    words = ("check", "alarm.c", "--bound", "input()=0..3", "--engine", engine, *listed, "--format", "json")
    assert [v["verdict"] for v in json.loads(stateglass(*words).out)["verdicts"]] == ["holds", "vacuous", "vacuous"]
    # With another number of arguments it is none.
    for other in ("call(alarm)", "call(alarm, 7)", "call(alarm, *, 1, 2)"):
        ran = stateglass(*words[:6], "--claim", f"G !{other}")
        assert ran.status == Exit.BAD_INPUT
        assert f"the model has no event `{other}`" in ran.err


def test_a_misspelt_event_is_told(here: Path) -> None:
    Path("store.c").write_text(STORE, encoding="utf-8")
    ran = stateglass("check", "store.c", "--function", "incr", "--claim", "G !call(inc, *)")
    assert ran.status == Exit.BAD_INPUT
    assert "the model has no event `call(inc, *)`" in ran.err


def test_where_all_is_bounded_every_state_is_looked_at(retry: str) -> None:
    found = verdict(retry, "--bound", "send()=0..1")
    assert (found["verdict"], found["engine"]) == ("holds", "explicit")
    assert "invariant" not in found


def test_a_proof_without_an_invariant_says_how_long_runs_are(here: Path) -> None:
    Path("once.c").write_text(ONCE, encoding="utf-8")
    found = verdict("once.c", "--engine", "bmc")
    assert (found["verdict"], found["engine"], found["invariant"]) == ("holds", "bmc", [])
    assert found["depth"] > 0
    assert "of code" in found["explanation"]


ONCE = """\
#include <assert.h>
extern unsigned char next(void);
int main(void)
{
    int sum = next() + next();
    assert(sum <= 510);
    return 0;
}
"""
COUNTER = """\
#include <assert.h>
static unsigned seen, kept;
void put(unsigned char kind)
{
    seen++;
    if (kind == 1)
        kept++;
    if (seen < kept)
        seen = kept;
    assert(seen >= kept || seen == 0);
}
"""


def test_what_has_too_many_states_is_proved(here: Path) -> None:
    Path("counter.c").write_text(COUNTER, encoding="utf-8")
    argv = ("counter.c", "--bound", "put.kind=0..1", "--max-states", "500")
    found = verdict(*argv)
    assert found["verdict"] == "holds"
    assert found["engine"] != "explicit"
    assert verdict(*argv, "--engine", "explicit")["reason"] == "partial"


def test_time_that_is_over(here: Path) -> None:
    Path("hard.c").write_text(HARD, encoding="utf-8")
    ran = stateglass("check", "hard.c", "--timeout", "2", "--ub", "wrap")
    assert ran.status == Exit.INCONCLUSIVE
    assert "inconclusive: timeout" in ran.out
    assert "There was not enough time (--timeout)." in ran.out


def test_time_that_is_over_though_all_inputs_have_bounds(here: Path) -> None:
    """What a log function may write goes unsaid: unless it prints, there is much to look at."""
    said = {}
    for name, declared in (("prints", "__attribute__((format(printf, 1, 2)))"), ("unknown", "")):
        text = DEEP.replace("int f(int x)", f"void say(const char *, ...) {declared}; char name[4];\nint f(int x)")
        text = text.replace("return deep(x)", 'say("%s", name); return deep(x)')
        Path(f"{name}.c").write_text(text, encoding="utf-8")
        argv = (
            "--function",
            "f",
            "--bound",
            "f.x={120}",
            "--timeout",
            "1",
            "--claim",
            "G(call(f, *) => F return(f, *))",
        )
        said[name] = stateglass("check", f"{name}.c", *argv)
    assert said["prints"].status == Exit.OK
    assert said["unknown"].status == Exit.INCONCLUSIVE
    assert "--engine explicit looks at each state; with it, what is handed in starts at zero" in said["unknown"].err


def test_what_the_engines_without_bounds_do_not_know_may_be_looked_at(here: Path) -> None:
    """Somebody whose inputs all have bounds has not asked for these engines, and is told of the other one."""
    text = "#include <stdlib.h>\nvoid say(const char *, ...);\nint f(void)\n{\n    char *p = malloc(1);\n"
    Path("heap.c").write_text(
        text + '    *p = 1;\n    say("%s", p);\n    free(p);\n    return 0;\n}\n', encoding="utf-8"
    )
    ran = stateglass("check", "heap.c")
    assert "inconclusive: unsupported" in ran.out
    assert "--engine explicit looks at each state" in ran.err
    assert "no-error: holds" in stateglass("check", "heap.c", "--engine", "explicit").out


def test_what_the_engines_without_bounds_do_not_know_is_violated_by_a_run_within_bounds(here: Path) -> None:
    text = "#include <stdlib.h>\nvoid say(const char *, ...);\nint kept;\nvoid f(int n)\n{\n    char *p = malloc(1);\n"
    Path("heap.c").write_text(
        text + '    *p = 1;\n    say("%s", p);\n    free(p);\n    kept = n > 2 ? *p : 0;\n}\n', encoding="utf-8"
    )
    ran = stateglass("check", "heap.c", "--bound", "f.n=0..3", "--claim", "no-error", "--claim", "G [kept <= 1]")
    assert ran.status == Exit.FINDINGS, ran.out
    assert "`error(dangling)` can be reached" in ran.out
    assert "G [kept <= 1]: inconclusive" in ran.out
    assert "no-error: inconclusive" in stateglass("check", "heap.c", "--bound", "f.n=0..3", "--engine", "spacer").out


DEEP = """\
static int calls;
static int deep(int x) { calls = 1; return x > 100 ? x - 10 : deep(deep(x + 11)); }
int f(int x) { return deep(x); }
"""


@pytest.mark.parametrize("claim", ["no-error", "G([calls >= 0])"])
def test_time_is_kept_while_code_is_read(here: Path, claim: str) -> None:
    """Calls in arguments of calls have more ways than anybody can follow."""
    Path("deep.c").write_text(DEEP, encoding="utf-8")
    ran = stateglass("check", "deep.c", "--function", "f", "--timeout", "1", "--claim", claim)
    assert ran.status == Exit.INCONCLUSIVE
    assert "It was over before all code was read." in ran.out


HARD = """\
#include <assert.h>
extern unsigned long long next(void);
int main(void)
{
    unsigned long long a = next(), b = next(), c = 0;
    if (a < 2 || b < 2 || a >= 4294967296u || b >= 4294967296u)
        return 0;
    while (next())
        c = c * a + b;
    assert(a * b != 18446743979220271189u || c != 12345678912345677u);
    return 0;
}
"""


COUNTING = """\
#include <assert.h>
extern int more(void);
int main(void)
{
    TYPE n = 2147483000u;
    while (more()) {
        n = n OPERATION;
        assert(CLAIM);
    }
    return 0;
}
"""


def counting(type: str, operation: str, claim: str) -> str:
    code = COUNTING.replace("TYPE", type).replace("OPERATION", operation).replace("CLAIM", claim)
    Path("counting.c").write_text(code, encoding="utf-8")
    return "counting.c"


@pytest.mark.parametrize(
    ("type", "operation", "claim"),
    [
        ("int", "+ 100", "n > 0"),
        ("unsigned", "+ 1000000000", "n >= 2147483000u"),
        ("unsigned", "- 1000000000", "n <= 2147483000u"),
        ("unsigned", "* 3", "n >= 2147483000u"),
    ],
)
def test_what_holds_of_integers_and_not_of_bits(here: Path, type: str, operation: str, claim: str) -> None:
    file = counting(type, operation, claim)
    bits = verdict(file)
    assert (bits["verdict"], bits["numbers"]) == ("violated", "bits")
    integers = verdict(file, "--numbers", "integers")
    assert (integers["verdict"], integers["numbers"]) == ("holds", "integers")
    assert any("mathematical integers" in granted for granted in integers["assumptions"])


def test_errors_before_a_number_leaves_its_type_are_found(here: Path) -> None:
    found = verdict(counting("int", "+ 100", "n != 2147483500"), "--numbers", "integers")
    assert (found["verdict"], found["numbers"]) == ("violated", "integers")
    assert "reference" in found["evidence"]["confirmed_by"]


def test_steps_back_through_memory_are_no_numbers_that_do_not_fit(here: Path) -> None:
    code = """
#include <assert.h>
extern int more(void);
int main(void) { int a[3] = {1, 2, 3}; int *p = a + 2; int i = more() ? -1 : -2; p--; assert(p[i] != 1); return 0; }
"""
    Path("back.c").write_text(code, encoding="utf-8")
    assert verdict("back.c", "--numbers", "integers", "--errors", "assertion")["verdict"] == "violated"


@pytest.mark.parametrize(
    ("argv", "problem"),
    [
        (("--claim", "G([n > 0])"), "`G([n > 0])` is not decided with --numbers integers"),
        (("--engine", "explicit", "--bound", "more()=0..1"), "--numbers integers is not for --engine explicit"),
    ],
)
def test_integers_are_for_no_error_alone(here: Path, argv: tuple[str, ...], problem: str) -> None:
    ran = stateglass("check", counting("int", "+ 1", "n > 0"), "--numbers", "integers", *argv)
    assert ran.status == Exit.BAD_INPUT
    assert problem in ran.err


def test_pointers_in_records_that_are_handed_out_are_told_to_stay(here: Path) -> None:
    code = """
#include <assert.h>
struct both { int number; int *place; };
extern void fill(struct both *both);
int beside = 5;
int main(void) { struct both both = {1, &beside}; fill(&both); assert(beside == 5); return 0; }
"""
    Path("both.c").write_text(code, encoding="utf-8")
    ran = stateglass("check", "both.c")
    assert "pointers in what `both` points to, and what they lead to, are taken to stay" in " ".join(ran.err.split())


def test_predicates_of_the_project_file_help(here: Path) -> None:
    steps = FAR.replace("amount;", "4 * (amount % 2);").replace("123456789", "123456790")
    Path("steps.c").write_text(steps, encoding="utf-8")
    system = 'subject = "add"\npredicates = "total % 4 == 0"'
    Path("stateglass.toml").write_text(
        f'schema = 1\n[source]\nfiles = ["steps.c"]\n[system.add]\n{system}\n', encoding="utf-8"
    )
    found = json.loads(stateglass("check", "--format", "json").out)["verdicts"][0]
    assert found["verdict"] == "holds"
    assert found["given"] == [{"place": "between calls", "text": "total % 4 == 0"}]
    assert found["predicates"] == 1
    refused = stateglass("check", "--engine", "bmc")
    assert refused.status is Exit.BAD_INPUT
    assert "does not ask predicates" in refused.err


FAR_LOOP = """\
extern void reach_error(void);
int main(void)
{
    unsigned at = 0;
    while (at < 0x0fffffff)
        at += 2;
    if (at % 2)
        reach_error();
    return 0;
}
"""


@pytest.mark.parametrize("engine", ["auto", "spacer"])
def test_a_loop_that_nobody_wants_to_run_to_its_end_is_left_to_engines(
    here: Path, monkeypatch: pytest.MonkeyPatch, engine: str
) -> None:
    monkeypatch.setattr("stateglass.answers.answering.FIRST_STEPS", 100_000)
    Path("far.c").write_text(FAR_LOOP, encoding="utf-8")
    ran = stateglass("check", "far.c", "--engine", engine, "--timeout", "30")
    assert ran.status == Exit.OK, ran.out
    assert "By spacer" in ran.out


def test_a_loop_is_run_once_where_nobody_else_is_to_be_asked(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[int] = []

    def explored(system: System, manner: Manner, **others: Any) -> Exploration:
        looks.append(manner.max_steps)
        return explore(system, manner, **others)

    monkeypatch.setattr("stateglass.answers.answering.FIRST_STEPS", 1_000)
    monkeypatch.setattr("stateglass.answers.answering.explore", explored)
    Path("far.c").write_text(FAR_LOOP.replace("0x0fffffff", "0x0fff"), encoding="utf-8")
    assert stateglass("check", "far.c", "--engine", "explicit").status == Exit.OK
    assert looks == [0]

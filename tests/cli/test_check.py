"""`stateglass check` and `stateglass replay`: verdicts, forms, exit statuses, mistakes."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stateglass.cli.exits import Exit
from stateglass.replay.recorded import read_evidence
from stateglass.source import InputError
from tests.cli.running import BY_THE_CODE, stateglass
from tests.views.test_claims import check_sarif

needs_compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no compiler")

CODE = """\
static int level, peak;
int step(int change)
{
    peak = 9;
    level += change;
    if (level > 3)
        level = 0;
    peak = level;
    return level;
}
"""


@pytest.fixture
def code(here: Path) -> str:
    Path("step.c").write_text(CODE, encoding="utf-8")
    return "step.c"


BOUND = ("--bound", "step.change=0..1")


def verdicts(*argv: str) -> list[dict[str, Any]]:
    ran = stateglass("check", *argv, "--format", "json")
    found = json.loads(ran.out)
    assert "errors" not in found, ran.err
    listed: list[dict[str, Any]] = found["verdicts"]
    return listed


def test_code_is_checked_for_errors_by_default(code: str) -> None:
    ran = stateglass("check", code, *BOUND)
    assert ran.status == Exit.OK
    assert ran.out.startswith("no-error: holds\n")
    assert "step.change: each call gives it any of 0..1" in ran.err


def test_a_claim_sees_values_that_are_there_for_a_moment(code: str) -> None:
    (found,) = verdicts(code, *BOUND, "--claim", "G([peak <= 3])")
    assert found["verdict"] == "violated"
    assert found["evidence"]["confirmed_by"] == BY_THE_CODE
    assert {"peak": "9"} in [step["changes"] for step in found["evidence"]["steps"]]
    (found,) = verdicts(code, *BOUND, "--claim", "G([stable] => [peak <= 3])")
    assert found["verdict"] == "holds"


def test_several_claims_and_the_gravest_exit(code: str) -> None:
    claims = ["G([level <= 3])", "G([level <= 4])", "G F [level == 0]", "ctl: AG EF [level == 2]", "no-deadlock"]
    listed = [word for claim in claims for word in ("--claim", claim)]
    found = verdicts(code, *BOUND, *listed)
    assert [v["verdict"] for v in found] == ["violated", "holds", "violated", "holds", "holds"]
    lasso = found[2]["evidence"]
    assert lasso["loop_start"] is not None
    assert lasso["confirmed_by"] == BY_THE_CODE
    assert stateglass("check", code, *BOUND, *listed).status == Exit.FINDINGS


TWO_WAYS = """\
static int a, b;
void left(void) { a = 1; }
void right(void) { b = 1; }
"""


@pytest.mark.usefixtures("here")
def test_another_run_avoids_the_states_of_the_first() -> None:
    Path("ways.c").write_text(TWO_WAYS, encoding="utf-8")
    asked = ("ways.c", "--function", "left", "--function", "right", "--claim", "G([stable] => [a + b == 0])")
    (first,) = verdicts(*asked, "--next", "0")
    (second,) = verdicts(*asked, "--next")
    runs = [{step["state"] for step in found["evidence"]["steps"]} for found in (first, second)]
    assert not runs[0] & runs[1]
    assert [found["verdict"] for found in (first, second)] == ["violated", "violated"]
    (last,) = verdicts(*asked, "--next", "2")
    assert last["evidence"]["steps"] == second["evidence"]["steps"]
    assert "last of 2" in last["explanation"]


def test_a_run_ends_where_the_claim_is_violated_whatever_follows(code: str) -> None:
    safety, liveness = verdicts(code, *BOUND, "--claim", "G([level <= 1])", "--claim", "F [level == 2]")
    assert safety["evidence"]["steps"][-1]["changes"]["level"] == "2"
    assert safety["evidence"]["loop_start"] is None
    assert liveness["verdict"] == "violated"
    assert liveness["evidence"]["loop_start"] is not None


def test_claims_of_a_file_and_of_the_project(code: str) -> None:
    Path("c.claims").write_text("low = G([level <= 4])\n\nno-deadlock\n", encoding="utf-8")
    assert [v["claim"] for v in verdicts(code, *BOUND, "--claims", "c.claims")] == ["low", "no-deadlock"]
    Path("stateglass.toml").write_text(
        'schema = 1\n[source]\nfiles = ["step.c"]\n[system.s]\nsubject = "step"\n[system.s.bounds]\n'
        '"step.change" = "0..1"\n[claims]\nlow = "G([level <= 4])"\nhigh = "G([level >= 1])"\n',
        encoding="utf-8",
    )
    assert {v["claim"]: v["verdict"] for v in verdicts()} == {"low": "holds", "high": "violated"}
    assert [v["claim"] for v in verdicts("--claim", "high")] == ["high"]


def test_a_model_is_checked_as_it_is(code: str) -> None:
    stateglass("extract", code, *BOUND, "-o", "step.sg")
    (found,) = verdicts("step.sg", "--claim", "G([level <= 2])")
    assert found["verdict"] == "violated"
    assert found["evidence"]["confirmed_by"] == ["model"]
    assert "subject" not in found["evidence"]
    nothing = stateglass("check", "step.sg")
    assert nothing.status == Exit.NOTHING_TO_CHECK
    assert "nothing to check" in nothing.err
    assert json.loads(stateglass("check", "step.sg", "--format", "json").out)["verdicts"] == []


def test_every_form(code: str) -> None:
    names = ["a.json", "a.itf.json", "a.mmd", "a.svg", "a.html", "a.sarif", "a.xml"]
    outputs = [word for name in names for word in ("-o", name)]
    ran = stateglass("check", code, *BOUND, "--claim", "G([level <= 2])", *outputs, "--format", "sarif")
    check_sarif(json.loads(ran.out))
    assert json.loads(Path("a.sarif").read_text()) == json.loads(ran.out)
    assert Path("a.mmd").read_text().startswith("sequenceDiagram")
    assert "step.c" in Path("a.html").read_text()
    assert stateglass("check", code, *BOUND, "--claim", "G([level <= 2])", "--format", "junit").out.startswith("<?xml")
    holds = stateglass("check", code, *BOUND, "-o", "none.svg")
    assert "no answer has a run to show" in holds.err
    assert not Path("none.svg").exists()


def test_what_is_partial_is_inconclusive(code: str) -> None:
    ran = stateglass("check", code, *BOUND, "--claim", "G([level <= 4])", "--max-states", "5", "--engine", "explicit")
    assert ran.status == Exit.INCONCLUSIVE
    assert "inconclusive: partial" in ran.out


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (("--claim", "G([levl <= 2])"), "did you mean `level`?"),
        (("--claim", "G([level <= )"), "error[claim]"),
        (("--claim", "G(X [level == 0])"), "--steps all"),
        (("--claim", "ctl: EF<=3 [level == 0]"), "--steps all"),
        (("--claims", "missing.claims"), "missing.claims"),
        (("-o", "a.pdf"), "`a.pdf` does not tell what it is to be"),
        (("-o", "nowhere/a.json"), "there is no folder `nowhere`"),
        (("--format", "yaml"), "`yaml` is no value of"),
        (("model.sg",), "is a model, and there are other files"),
    ],
)
def test_mistakes(code: str, argv: tuple[str, ...], message: str) -> None:
    ran = stateglass("check", code, *BOUND, *argv)
    assert ran.status == Exit.BAD_INPUT
    assert message in ran.err


def test_steps_can_be_counted_if_all_are_kept(code: str) -> None:
    (found,) = verdicts(code, *BOUND, "--steps", "all", "--claim", "G(call => X !call)")
    assert found["verdict"] == "holds"


ABSTRACT = """\
int next(void);
int main(void)
{
    int n = next();
    if (n == 5)
        return 1;
    return n > 7 && n < 3 ? 2 : 0;
}
"""


@pytest.mark.usefixtures("here")
def test_a_violation_of_an_abstraction_counts_if_the_code_has_it() -> None:
    Path("a.c").write_text(ABSTRACT, encoding="utf-8")
    Path("a.am").write_text('file "a.c" { fun main () : top { var n : top; } }\n', encoding="utf-8")
    claims = ["G(!exit(1))", "G(!exit(2))"]
    listed = [word for claim in claims for word in ("--claim", claim)]
    ran = stateglass("extract", "a.c", "--abstraction", "a.am", "-o", "a.sg")
    assert ran.status == Exit.OK, ran.err
    found = verdicts("a.c", "--abstraction", "a.am", *listed)
    assert [(v["verdict"], v["reason"]) for v in found] == [("violated", None), ("inconclusive", "abstraction")]
    assert found[0]["evidence"]["confirmed_by"] == BY_THE_CODE
    assert "return(next, 5)" in [step["action"] for step in found[0]["evidence"]["steps"]]


@needs_compiler
def test_replay_confirms_and_notices_other_code(code: str) -> None:
    stateglass("check", code, *BOUND, "--claim", "G([level <= 2])", "-o", "e.json")
    ran = stateglass("replay", "e.json", "--keep", "driver")
    assert (ran.status, ran.out.splitlines()[0]) == (Exit.OK, "G([level <= 2]): confirmed"), ran.err
    assert Path("driver/run.c").exists()
    report = json.loads(stateglass("replay", "e.json", "--format", "json").out)
    assert report["confirmed"] is True
    Path(code).write_text(CODE.replace("level += change", "level += change + 1"), encoding="utf-8")
    changed = stateglass("replay", "e.json", "--keep", "other")
    assert changed.status == Exit.FINDINGS
    assert changed.out.splitlines()[0] == "G([level <= 2]): refuted"
    assert "the code does not have this run" in changed.out
    assert not Path("other").exists()
    ran = stateglass("replay", "e.json", "--keep", "other", "--format", "json")
    report = json.loads(ran.out)
    assert (ran.status, report["confirmed"], report["driver"]) == (Exit.FINDINGS, False, None)
    assert report["reason"].startswith("the code does not have this run: after ")
    steps = json.loads(Path("e.json").read_text(encoding="utf-8"))["verdicts"][0]["evidence"]["steps"]
    assert f"`{steps[report['step'] - 1]['action']}`" in report["reason"]
    Path(code).write_text("int step(int change) { return change }", encoding="utf-8")
    assert stateglass("replay", "e.json").status == Exit.BAD_INPUT


@pytest.mark.parametrize(
    "change",
    [
        (
            "level += change;",
            'level += change; __asm__ ("mov %1, %0" : "=r"(level) : "r"(level));',
        ),  # not modelled: who knows what follows
        ("peak = 9;", "while (peak < 1000000000) peak++;"),  # there is not enough time
    ],
)
def test_what_cannot_be_followed_is_not_refuted(code: str, change: tuple[str, str]) -> None:
    stateglass("check", code, *BOUND, "--timeout", "2", "--claim", "G([level <= 2])", "-o", "e.json")
    Path(code).write_text(CODE.replace(*change), encoding="utf-8")
    ran = stateglass("replay", "e.json", "--format", "json")
    assert ran.status == Exit.INCONCLUSIVE, ran.out + ran.err
    assert json.loads(ran.out)["confirmed"] is None


def test_a_run_of_an_abstraction_that_is_not_found_is_not_refuted(code: str) -> None:
    Path("step.am").write_text("var level : part(0, 1, 2);\n", encoding="utf-8")
    Path(code).write_text("int level;\nvoid step(int x) { if (x == 7000) level = 1; }\n", encoding="utf-8")
    stateglass("check", code, "--abstraction", "step.am", "--claim", "G([level == 0])", "-o", "e.json")
    Path(code).write_text("int level;\nvoid step(int x) { if (x * 2 == 14002) level = 1; }\n", encoding="utf-8")
    ran = stateglass("replay", "e.json")
    assert (ran.status, "could not be followed" in ran.out) == (Exit.INCONCLUSIVE, True), ran.out + ran.err


@pytest.mark.parametrize("claim", ["G([level != 2])", "ctl: AG([level != 2])", "G([level == 2] => F [level == 1])"])
def test_a_run_of_the_code_is_found_along_one_of_an_abstraction(code: str, claim: str) -> None:
    Path("step.am").write_text("var level : part(0, 1, 2);\n", encoding="utf-8")
    Path(code).write_text("int level;\nvoid step(int x) { if (x == 5) level = 2; }\n", encoding="utf-8")
    ran = stateglass("check", code, "--abstraction", "step.am", "--claim", claim, "--format", "json")
    (verdict,) = json.loads(ran.out)["verdicts"]
    assert (verdict["verdict"], verdict["evidence"]["confirmed_by"]) == ("violated", BY_THE_CODE)
    assert verdict["evidence"]["steps"][0]["action"] == "call(step, 5)"


MARKED = """\
int get(void);
void put(int), mark(void);
int level, a, b, *p = &a;
void step(void)
{
    level = get();
    if (level < 0)
        put(0);
    else {
        mark();
        put(level);
    }
    if (level == 3)
        p = &b;
}
"""


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("G !call(put, 30)", "violated"),
        ("F call(put, 30)", "violated"),
        ("ctl: AG !call(put, 30)", "violated"),
        ("`call(put, 30)` never happens", "violated"),
        ("assume fair(call(put, 30)): G !call(put, 30)", "violated"),
        ("assume strong fair(return(get, 30)): F call(put, 30)", "inconclusive"),
        ('mu: [true*."call(put, 30)"]false', "violated"),
        # The label `call(put, 0)` is there, but not after `call(mark)`, where the value is one of many.
        ('mu: [true*."call(mark)".(!"call(get)")*."call(put, 0)"]false', "violated"),
        ("G(call(put, 30) => F call(get))", "holds"),
        ("F [p == `&b`]", "inconclusive"),
    ],
)
def test_values_within_those_of_an_abstraction_can_be_asked_for(code: str, claim: str, verdict: str) -> None:
    Path("step.am").write_text("var level : part(0, 51);\n", encoding="utf-8")
    Path(code).write_text(MARKED, encoding="utf-8")
    found = verdicts(code, "--function", "step", "--abstraction", "step.am", "--claim", claim)
    assert [v["verdict"] for v in found] == [verdict]
    if verdict == "violated":
        assert found[0]["evidence"]["confirmed_by"] == BY_THE_CODE


@pytest.mark.parametrize(
    "claim", ["ctl: EF call(put, 30)", "ctl: AG EF call(put, 30)", 'mu: [true*]<true*."call(put, 30)">true']
)
def test_no_run_that_violates_is_looked_for_where_none_can_show_it(code: str, claim: str) -> None:
    Path("step.am").write_text("var level : part(0, 51);\n", encoding="utf-8")
    Path(code).write_text(MARKED, encoding="utf-8")
    (found,) = verdicts(code, "--function", "step", "--abstraction", "step.am", "--claim", claim)
    assert (found["verdict"], found["reason"]) == ("inconclusive", "abstraction")
    assert "no single run shows that something cannot" in found["explanation"]
    assert "violates" not in found["explanation"]


@needs_compiler
def test_a_value_that_only_the_claim_names_is_replayed(code: str) -> None:
    Path("step.am").write_text("var level : part(0, 51);\n", encoding="utf-8")
    Path(code).write_text(MARKED, encoding="utf-8")
    stateglass("check", code, "--abstraction", "step.am", "--claim", "G !call(put, 30)", "-o", "e.json")
    ran = stateglass("replay", "e.json")
    assert (ran.status, ran.out.splitlines()[0]) == (Exit.OK, "G !call(put, 30): confirmed"), ran.err


@pytest.mark.parametrize(
    ("body", "bound", "words"),
    [
        ("if (x * 2 == 14000) level = 1;", (), "at most 24 values of each input that may be anything were tried."),
        ("n = x; if (n == 2) level = 1;", ("--bound", "step.x=0..1"), "The code has no run along this one;"),
    ],
)
def test_it_is_said_among_which_runs_one_was_looked_for(
    code: str, body: str, bound: tuple[str, ...], words: str
) -> None:
    Path("step.am").write_text("var level : part(0, 1, 2);\nvar n : top;\n", encoding="utf-8")
    Path(code).write_text(f"int level, n;\nvoid step(int x) {{ {body} }}\n", encoding="utf-8")
    ran = stateglass(
        "check", code, *bound, "--abstraction", "step.am", "--claim", "G([level == 0])", "--format", "json"
    )
    (verdict,) = json.loads(ran.out)["verdicts"]
    assert (verdict["verdict"], verdict["reason"]) == ("inconclusive", "abstraction")
    assert words in verdict["explanation"]


@needs_compiler
def test_the_compiler_of_the_environment_is_used_with_its_flags(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "#ifndef K\n#define K 1\n#endif\n" + CODE.replace("level += change", "level += change * K")
    Path(code).write_text(text, encoding="utf-8")
    stateglass("check", code, *BOUND, "--claim", "G([level <= 2])", "-o", "e.json")
    for compiler, status in (("", Exit.OK), ("cc -O1 -std=c99", Exit.OK), ("cc '-DK=2'", Exit.FINDINGS)):
        monkeypatch.setenv("CC", compiler)
        ran = stateglass("replay", "e.json")
        assert ran.status == status, ran.out + ran.err
    monkeypatch.delenv("CC")
    assert stateglass("replay", "e.json", "--compiler", "cc -DK=2").status == Exit.FINDINGS
    with_blank = Path("my tools/cc")
    with_blank.parent.mkdir()
    with_blank.symlink_to(shutil.which("cc") or "")
    assert stateglass("replay", "e.json", "--compiler", str(with_blank)).status == Exit.OK


@pytest.mark.parametrize("compiler", ["no-such-cc", "no-such-cc -O1", "cc 'open", "''"])
def test_a_compiler_that_is_not_there_is_a_mistake(code: str, compiler: str, monkeypatch: pytest.MonkeyPatch) -> None:
    stateglass("check", code, *BOUND, "--claim", "G([level <= 2])", "-o", "e.json")
    ran = stateglass("replay", "e.json", "--compiler", compiler)
    assert (ran.status, f"there is no compiler `{compiler}`" in ran.err) == (Exit.BAD_INPUT, True), ran.err
    monkeypatch.setenv("CC", compiler)
    ran = stateglass("replay", "e.json")
    assert (ran.status, f"there is no compiler `{compiler}`, which $CC names" in ran.err) == (Exit.BAD_INPUT, True)


@needs_compiler
def test_of_several_violated_claims_it_is_said_which_was_taken(code: str) -> None:
    claims = ["G([level >= 0])", "G([level <= 2])", "G([level <= 1])"]
    stateglass("check", code, *BOUND, *(word for c in claims for word in ("--claim", c)), "-o", "e.json")
    ran = stateglass("replay", "e.json")
    first, _, *more = ran.out.splitlines()
    assert (ran.status, first) == (Exit.OK, "G([level <= 2]): confirmed"), ran.out + ran.err
    assert more == ["  of 2 violated claims the first was taken; --claim takes another:", "    G([level <= 1])"]
    report = json.loads(stateglass("replay", "e.json", "--format", "json").out)
    assert (report["claim"], report["others"]) == (claims[1], [claims[2]])
    ran = stateglass("replay", "e.json", "--claim", claims[2])
    assert (ran.out.splitlines()[0], len(ran.out.splitlines())) == ("G([level <= 1]): confirmed", 2)


@needs_compiler
def test_replay_of_a_momentary_value_and_of_a_loop(code: str) -> None:
    for claim in ("G([peak <= 3])", "G F [level == 0]"):
        stateglass("check", code, *BOUND, "--claim", claim, "-o", "e.json")
        ran = stateglass("replay", "e.json")
        assert ran.status == Exit.OK, ran.out + ran.err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "this is not JSON"),
        ("[]", "it has no list `verdicts`"),
        ('{"verdicts": []}', "no verdict has a run"),
        ('{"verdicts": [{"claim": "c", "verdict": "holds", "evidence": {"steps": [{}]}}]}', "a step has no action"),
        (
            '{"verdicts": [{"claim": "c", "verdict": "holds", "evidence": {"steps": [{"action": "a"}]}}]}',
            "a verdict lacks `claim`, `text` or `verdict`",
        ),
        (
            '{"verdicts": [{"claim": "c", "text": "a", "verdict": "holds", "evidence": {"steps": [{"action": "a"}]}}]}',
            "not about code",
        ),
    ],
)
def test_mistakes_in_evidence(code: str, text: str, message: str) -> None:
    Path("e.json").write_text(text, encoding="utf-8")
    ran = stateglass("replay", "e.json")
    assert ran.status == Exit.BAD_INPUT
    assert message in ran.err


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["verdicts", "evidence", "steps", "action", "changes", "claim", "verdict", "loop_start", "x"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@given(
    JSON | JSON.map(lambda v: {"verdicts": [{"claim": "c", "text": "G a", "verdict": "v", "evidence": {"steps": [v]}}]})
)
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_any_json_is_evidence_or_an_error(content: Any) -> None:
    try:
        found = read_evidence(json.dumps(content), "e.json")
    except InputError:
        return
    assert found.steps


def test_an_answer_about_some_kinds_of_error_says_which(tmp_path: Path) -> None:
    file = tmp_path / "code.c"
    file.write_text("int state; void step(int n) { state = 1 / n; }")
    how = ("check", str(file), "--function", "step", "--bound", "step.n=0..1")
    for kinds in (["bounds"], ["bounds", "null"]):
        ran = stateglass(*how, *(f"--errors={kind}" for kind in kinds))
        assert ran.status is Exit.OK
        assert f"only errors of these kinds are looked for: {', '.join(kinds)};" in " ".join(ran.out.split())
    assert stateglass(*how, "--ub", "ignore").status is Exit.INCONCLUSIVE
    assert stateglass(*how, "--ub", "ignore", "--errors", "division").status is Exit.INCONCLUSIVE
    assert stateglass(*how, "--errors", "division").status is Exit.FINDINGS


def test_of_many_values_the_first_are_shown(here: Path) -> None:
    """What has a value comes before what has none; a step is cut as the beginning is."""
    text = "static int t[60]; int *p; void step(void) { for (int i = 0; i < 60; i++) t[i]++; }\n"
    Path("table.c").write_text(text, encoding="utf-8")
    ran = stateglass("check", "table.c", "--claim", "G [t[59] < 1]", "--format", "text")
    told = " ".join(ran.out.split())
    assert "At first t[0] = 0, t[1] = 0" in told
    assert told.count("t[39] = 0, … 20 more (--format json has all of them)") == 1
    assert told.count("t[39] = 1, … 20 more (--format json has all of them)") == 1


# A run in which `mode` is set is dropped, but only some calls later.
DROPPED_LATER: Final = (
    "void __VERIFIER_assume(int); int n, mode, done;\n"
    "void step(int k) {{ if (k == 6) mode = 1; if (k == 7 && !mode) {{ done = 1; return; }}\n"
    "    if (n < {many}) n++; else __VERIFIER_assume(!mode); }}\n"
)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("many", "how"),
    [
        (3, ("--abstraction", "a.am")),
        (3000, ("--bound", "step.k=5..7")),
        (3000, ("--bound", "step.k=5..7", "--engine", "explicit", "--max-states", "50")),
        (30, ("--engine", "predicate", "--timeout", "10")),
    ],
)
def test_a_beginning_of_runs_that_are_all_dropped_violates_nothing(many: int, how: tuple[str, ...]) -> None:
    Path("a.c").write_text(DROPPED_LATER.format(many=many), encoding="utf-8")
    map = "var n : bool; var mode : bool; var done : bool; fun step () { var k : part(0, 6, 7); }"
    Path("a.am").write_text(f'file "a.c" {{ {map} }}', encoding="utf-8")
    found = verdicts("a.c", *how, "--claim", "G [mode == 0]", "--claim", "G [done == 0]")
    assert found[0]["verdict"] != "violated"
    assert found[1]["verdict"] == "violated"


def test_where_there_are_many_words_kinds_of_them_are_listed(here: Path) -> None:
    """An array is told once, and an event that has many arguments, too; values come last."""
    text = 'void say(const char *, int);\nint a[40];\nint *at = a;\nvoid f(int i) { at = a + i; say("of", i); }\n'
    Path("many.c").write_text(text, encoding="utf-8")
    assert stateglass("extract", "many.c", "--bound", "f.i=0..14", "-o", "many.sg").status is Exit.OK
    ran = stateglass("check", "many.sg", "--claim", "G [zzz == 1]", "--claim", "EF xyz")
    assert 'help: there is `a[0]`, `at`, `stable`, `"&a"`, `"&a[10]"` and 52 more\n' in ran.err
    assert "help: there is `call(f, *)`, `call(say, *)`, `return(f)`, `return(say)`\n" in ran.err


def test_an_end_is_shown_where_the_function_that_ends_is(here: Path) -> None:
    """Not where another one ends that it has called last of all."""
    text = "static int on;\nstatic void start(void)\n{\n    on = 1;\n}\n"
    text += "void f(int x)\n{\n    if (x)\n        start();\n}\n"
    Path("last.c").write_text(text, encoding="utf-8")
    asked = ("check", "last.c", "--bound", "f.x=1", "--claim", "G !return(f)", "--format", "json")
    (verdict,) = json.loads(stateglass(*asked).out)["verdicts"]
    last = verdict["evidence"]["steps"][-1]
    assert (last["action"], last["line"]) == ("return(f)", 6)

"""`stateglass reflect`: its files, its JSON, projects with hypotheses, and suggestions that hold."""

from __future__ import annotations

import io
import json
import signal
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from scripts.rooms import PACKAGE, ROOT
from stateglass.cli import reflecting
from stateglass.cli.exits import Exit
from stateglass.cli.reflecting import limits_of
from stateglass.operations.reflecting import Limits
from stateglass.reflexion.suggesting import Suggestion
from tests.cli.running import Ran, stateglass

TIMER = "int t;\nvoid process_20ms(void)\n{\n    if (t > 0)\n        t--;\n}\n"
GOOD = """\
machine Timer of process_20ms in "timer.c"
  initial state Running: t > 0
  state Expired: t <= 0
  Running -> Running when t > 1
  Running -> Expired when t == 1
  Expired -> Expired
"""
WRONG = GOOD.replace("t > 1", "t > 2").replace("Expired -> Expired", "Expired -> Running when t == 0")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "timer.c").write_text(TIMER, encoding="utf-8")
    (tmp_path / "good.machine").write_text(GOOD, encoding="utf-8")
    (tmp_path / "wrong.machine").write_text(WRONG, encoding="utf-8")
    return tmp_path


def reflect(*argv: str) -> Ran:
    return stateglass("reflect", *argv)


# ---- exits and JSON


def test_exits(here: Path) -> None:
    assert reflect("good.machine").status is Exit.OK
    assert reflect("wrong.machine").status is Exit.FINDINGS
    assert reflect("none.machine").status is Exit.BAD_INPUT
    assert reflect("good.machine", "timer.c").status is Exit.OK
    assert reflect("good.machine", "none.c").status is Exit.BAD_INPUT
    (here / "loop.c").write_text("int n;\nvoid f(int k) { for (int i = 0; i != k; i++) n = 0; }\n", encoding="utf-8")
    (here / "loop.machine").write_text('machine L of f in "loop.c"\n  state A: n || !n\n  A -> A\n', encoding="utf-8")
    assert reflect("loop.machine", "--unroll", "2").status is Exit.INCONCLUSIVE


def test_json_says_why_there_is_no_condition_or_that_it_is_not_exact(here: Path) -> None:
    code = "int s, a, b; void f(void) { if (s == 0) s = a << b == 12; }\n"
    (here / "hard.c").write_text(code, encoding="utf-8")
    machine = 'machine H of f in "hard.c"\n  state A: s == 0\n  state B: s == 1\n  B -> A\n'
    (here / "hard.machine").write_text(machine, encoding="utf-8")
    for options in ((), ("--conditions", "0"), ("--conditions", "1")):
        edges = json.loads(reflect("hard.machine", "--format", "json", *options).out)["edges"]
        assert all((e["condition"] is None) == (e["unfound"] is not None) for e in edges)
    edges = json.loads(reflect("hard.machine", "--format", "json").out)["edges"]
    by_ends = {(e["source"], e["target"]): e for e in edges}
    assert by_ends["A", "B"]["necessary"]["extent"] == "over"
    assert by_ends["A", "B"]["necessary"]["example"]["target"] in ("A", "error")
    assert by_ends["A", "error"]["condition"]["extent"] == "under"
    assert by_ends["A", "error"]["condition"]["example"]["target"] == "error"
    assert by_ends["B", "A"]["unfound"] == "no call is known to take it"


def test_values_that_come_in_during_a_call_are_told_apart_everywhere(here: Path) -> None:
    code = "int s; volatile int port; void f(void) { if (port == 1) s = 1; else if (port == 1) s = 2; }\n"
    (here / "port.c").write_text(code, encoding="utf-8")
    machine = 'machine P of f in "port.c"\n  state A: s == 0\n  state B: s == 1\n  state C: s == 2\n'
    (here / "port.machine").write_text(machine, encoding="utf-8")
    found = json.loads(reflect("port.machine", "--format", "json").out)
    (edge,) = (e for e in found["edges"] if (e["source"], e["target"]) == ("A", "C"))
    assert edge["condition"]["text"] == "port#1 != 1 && port#2 == 1"
    assert edge["condition"]["inputs"] == ["port#1", "port#2"]
    assert edge["witness"]["before"] == {"s": "0", "port#1": "0", "port#2": "1"}
    assert "`port#1` is what is read at port.c:1:46, `port#2` at port.c:1:73" in found["assumptions"]
    assert reflect("port.machine", "-o", "port.html").status is Exit.FINDINGS
    assert "port#1 != 1 &amp;&amp; port#2 == 1" in (here / "port.html").read_text(encoding="utf-8")
    suggested = reflect("port.machine", "--suggest").out
    assert "A -> C  # when port#1 != 1 && port#2 == 1; inputs of the call: port#1, port#2" in suggested


def test_json_has_the_keys_that_scripts_rely_on(here: Path) -> None:
    ran = reflect("wrong.machine", "--format", "json")
    found = json.loads(ran.out)
    assert {"states", "edges", "consistency"} <= found.keys()
    edges = {(e["source"], e["target"]): e for e in found["edges"]}
    assert edges["Running", "Running"]["results"] == ["convergence", "divergence"]
    condition = edges["Running", "Running"]["condition"]
    assert (condition["text"], condition["exact"], condition["extent"]) == ("t > 1", True, "exact")
    assert (condition["note"], condition["example"], condition["inputs"]) == (None, None, [])
    assert edges["Running", "Running"]["beyond"]["before"] == {"t": "2"}
    assert edges["Expired", "Running"]["results"] == ["absence"]
    assert edges["Expired", "Expired"]["results"] == ["divergence"]
    path = found["paths"][edges["Expired", "Expired"]["witness"]["path"]]
    assert path[0] == {"file": "timer.c", "first": 4, "last": 4}
    assert {s["name"]: s["trap"] for s in found["states"]} == {"Running": False, "Expired": True}


def test_no_conditions_are_looked_for_if_there_is_no_time(here: Path) -> None:
    found = json.loads(reflect("good.machine", "--conditions", "0", "--format", "json").out)
    assert [e["condition"] for e in found["edges"]] == [None, None, None]


# ---- files


def test_every_kind_of_file_is_written(here: Path) -> None:
    outputs = [f"x{kind}" for kind in (".svg", ".html", ".json", ".dot")]
    reflect("wrong.machine", *(part for output in outputs for part in ("-o", output)))
    drawn = ET.parse(here / "x.svg").getroot()
    titles = [title.text for title in drawn.iter("{http://www.w3.org/2000/svg}title")]
    assert {"0->0", "0->1", "1->0", "1->1"} <= set(titles)
    assert "void process_20ms(void)" in (here / "x.html").read_text(encoding="utf-8")
    assert json.loads((here / "x.json").read_text(encoding="utf-8"))["machine"] == "Timer"
    assert (here / "x.dot").read_text(encoding="utf-8").startswith("digraph")
    assert sorted(p.name for p in here.iterdir()) == sorted(["timer.c", "good.machine", "wrong.machine", *outputs])


def test_a_picture_on_standard_output_stands_alone(here: Path) -> None:
    ran = reflect("good.machine", "-o", "-")
    assert ET.fromstring(ran.out).tag.endswith("svg")


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["good.machine", "-o", "x.svgg"], "did you mean `.svg`?"),
        (["good.machine", "-o", "none/x.svg"], "there is no folder `none`"),
        (["good.machine", "-o", "x.machine"], "a machine is only written as a suggestion"),
        (["good.machine", "-o", "-", "--format", "json"], "cannot carry both"),
        (["good.machine", "-o", "x.svg", "-o", "./x.svg"], "the same file"),
        (["good.machine", "wrong.machine"], "more than one machine is given"),
        (["good.machine", "--states", "t"], "--states is given, and a machine"),
        (["good.machine", "--function", "f"], "--function is given, and a machine"),
        (["good.machine", "--hypothesis", "x"], "--hypothesis is given, and a machine"),
        (["timer.c", "--states", "t", "--counter", "t=3"], "both --states and --counter"),
        (["timer.c", "--counter", "t"], "`t` is no counter and its maximum"),
        (["timer.c", "--counter", "t=nothing"], "there is no `nothing` here"),
        (["timer.c", "--states", "u"], "does not read a `u`"),
        (["timer.c", "--states", "t", "--function", "f"], "there is no function `f`"),
        (["timer.c", "--states", "t", "--reachable-from", "tt"], "--reachable-from: error[unknown-name]"),
        (["timer.c", "--states", "t", "--reachable-from", "t != t"], "no state has a valuation"),
        (["timer.c"], "neither a machine nor states are given"),
        ([], "neither a machine nor states are given"),
        (["--hypothesis", "x"], "there is no project file"),
    ],
)
def test_mistakes(here: Path, argv: list[str], message: str) -> None:
    ran = reflect(*argv)
    assert ran.status is Exit.BAD_INPUT
    assert message in ran.err
    assert "Traceback" not in ran.err


# ---- projects and diagrams


def test_the_hypotheses_of_a_project(here: Path) -> None:
    tables = "".join(f'[hypothesis.{n}]\nfile = "{n}.machine"\n' for n in ("good", "wrong"))
    (here / "stateglass.toml").write_text(f"schema = 1\n{tables}", encoding="utf-8")
    assert reflect("--hypothesis", "good").status is Exit.OK
    ran = reflect()
    assert ran.status is Exit.FINDINGS
    assert [line for line in ran.out.splitlines() if line.endswith(":")] == ["good:", "wrong:"]
    found = json.loads(reflect("--format", "json").out)
    assert [h["hypothesis"] for h in found["hypotheses"]] == ["good", "wrong"]
    assert "did you mean `good`?" in reflect("--hypothesis", "god").err
    assert "choose one" in reflect("-o", "x.svg").err


def test_a_project_elsewhere_and_one_with_a_diagram(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "d.puml").write_text(
        "@startuml\n[*] --> Running\nRunning --> Expired : t == 1\n@enduml\n", encoding="utf-8"
    )
    (here / "names.machine").write_text("\n".join(GOOD.splitlines()[:3]) + "\n", encoding="utf-8")
    (here / "stateglass.toml").write_text(
        'schema = 1\n[hypothesis.d]\nfile = "d.puml"\nmapping = "names.machine"\n', encoding="utf-8"
    )
    (here / "below").mkdir()
    monkeypatch.chdir(here / "below")
    found = json.loads(reflect("--format", "json").out)
    results = {(e["source"], e["target"]): e["results"] for e in found["edges"]}
    assert results["Running", "Expired"] == ["convergence"]
    assert results["Running", "Running"] == ["divergence"]


def test_a_project_without_hypotheses(here: Path) -> None:
    (here / "stateglass.toml").write_text('schema = 1\n[hypothesis.c]\nfile = "timer.c"\n', encoding="utf-8")
    assert "`timer.c` is no hypothesis" in reflect().err
    (here / "stateglass.toml").write_text("schema = 1\n", encoding="utf-8")
    assert "has no hypothesis" in reflect().err


def test_one_bad_hypothesis_of_a_project_leaves_the_others(here: Path) -> None:
    (here / "overlap.machine").write_text(GOOD.replace("t <= 0", "t <= 5"), encoding="utf-8")
    tables = "".join(f'[hypothesis.{n}]\nfile = "{n}.machine"\n' for n in ("missing", "good", "overlap"))
    (here / "stateglass.toml").write_text(f"schema = 1\n{tables}", encoding="utf-8")
    ran = reflect()
    assert ran.status is Exit.BAD_INPUT
    assert "good:\n" in ran.out
    assert "Running -> Expired  convergence" in ran.out
    assert "missing was not looked at:\nmissing.machine: error[file]: there is no such file" in ran.err
    assert "the states `Running` and `Expired` overlap" in ran.err
    found = json.loads(reflect("--format", "json").out)["hypotheses"]
    assert [h["hypothesis"] for h in found] == ["good", "missing", "overlap"]
    assert [e["code"] for e in found[1]["errors"]] == ["file"]


def test_other_files_than_the_machine_names_are_said_to_be_read(here: Path) -> None:
    (here / "other.c").write_text(TIMER.replace("t", "u").replace("unu", "int"), encoding="utf-8")
    (here / "same.c").write_text(TIMER, encoding="utf-8")
    said = "is read instead of `timer.c`, which the machine names"
    ran = reflect("good.machine", "same.c")
    assert ran.status is Exit.OK
    assert f"note[machine]: `same.c` {said}" in ran.err
    wrong = reflect("good.machine", "other.c")
    assert wrong.status is Exit.BAD_INPUT
    assert f"note[machine]: `other.c` {said}" in wrong.err
    assert said not in reflect("good.machine", "./timer.c").err


def test_a_machine_or_its_code_from_standard_input(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def given(text: str) -> None:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))

    given(GOOD)
    assert reflect("-").status is Exit.OK
    given(GOOD + "  Running => Expired\n")
    assert "<stdin>:7:" in reflect("-").err
    given(TIMER)
    assert reflect("good.machine", "-").status is Exit.OK
    # The code is read for the ranges, for the machine, and for the suggestion.
    given(TIMER)
    ran = reflect("-", "--states", "t", "--suggest")
    assert ran.out.startswith('machine process_20ms of process_20ms\n  state "t <= 0": t <= 0\n')
    (here / "new.machine").write_text(ran.out, encoding="utf-8")
    assert reflect("new.machine", "timer.c").status is Exit.OK


def test_diagrams_keep_their_order_in_suggestions(here: Path) -> None:
    code = "int v, dead;\nvoid step(void) { if (!dead && v != 12 && v >= 10) dead = 1; }\n"
    (here / "code.c").write_text(code, encoding="utf-8")
    (here / "d.mmd").write_text(
        "stateDiagram-v2\n  state On {\n    Slow\n    Fast --> Fast : v == 12\n  }\n"
        "  On --> Dead : v >= 10\n  On --> Slow : v < 10\n  Dead --> Dead\n",
        encoding="utf-8",
    )
    (here / "names.machine").write_text(
        'machine M of step in "code.c"\n  state On: !dead\n  state Slow: v < 10\n  state Fast: v >= 10\n'
        "  state Dead: dead\n",
        encoding="utf-8",
    )
    assert reflect("d.mmd", "names.machine").status is Exit.OK
    reflect("d.mmd", "names.machine", "--suggest", "-o", "new.machine")
    all_converge("new.machine")


def test_everything_wrong_with_a_diagram_its_names_and_its_c_is_said_at_once(here: Path) -> None:
    diagram, names = here / "d.mmd", here / "names.machine"
    diagram.write_text("stateDiagram-v2\n  A --> B : t == )\n  B --> A : nothing > 1\n", encoding="utf-8")
    names.write_text(
        'machine M of process_20ms in "timer.c"\n  state A: t > 0\n  state B: nowhere == 0\n  state C: t < -5\n'
        "  A -> B\n  state ! D\n",
        encoding="utf-8",
    )
    ran = reflect("d.mmd", "names.machine")
    assert ran.status is Exit.BAD_INPUT
    for words in ("`nothing`", "`nowhere`", "no state `C`", "those of the diagram", "names.machine:6:", "d.mmd:2"):
        assert words in ran.err
    diagram.write_text("stateDiagram-v2\n  A --> --> B\n", encoding="utf-8")
    ran = reflect("d.mmd", "names.machine")
    for words in ("d.mmd:2", "`nowhere`", "names.machine:6:"):
        assert words in ran.err


def test_json_says_which_conditions_cannot_hold(here: Path) -> None:
    (here / "m.machine").write_text(
        'machine M of process_20ms in "timer.c"\n  state A: t > 0\n    state One: t == 1\n  state B: t <= 0\n'
        "  B -> A when t == 1\n  A -> B when t == 1 priority 1\n  One -> A when t == 1 priority 2\n",
        encoding="utf-8",
    )
    found = json.loads(reflect("m.machine", "--format", "json").out)
    assert found["consistency"]["unsatisfiable_conditions"] == [
        {"source": "B", "target": "A", "condition": "t == 1"},
        {"source": "One", "target": "A", "condition": "t == 1"},
    ]
    assert {s["name"]: s["itself"] for s in found["states"]} == {"A": True, "One": True, "B": True}


# ---- suggestions


def all_converge(machine: str) -> None:
    ran = reflect(machine, "--conditions", "0", "--format", "json")
    found = json.loads(ran.out)
    assert found["edges"], ran.err
    assert {r for e in found["edges"] for r in e["results"]} == {"convergence"}
    assert ran.status is Exit.OK


def test_a_suggestion_converges(here: Path) -> None:
    ran = reflect("wrong.machine", "--suggest")
    assert ran.status is Exit.FINDINGS
    assert "  Running -> Running when t > 1  # instead of t > 2\n" in ran.out
    assert "  # Expired -> Running when t == 0  (the code never does this)\n" in ran.out
    (here / "again.machine").write_text(ran.out, encoding="utf-8")
    all_converge("again.machine")


def test_what_converges_is_suggested_as_it_is(here: Path) -> None:
    assert reflect("good.machine", "--suggest").out == GOOD


def test_a_suggestion_into_another_folder_finds_its_files(here: Path) -> None:
    (here / "below").mkdir()
    ran = reflect("timer.c", "--states", "t", "--suggest", "-o", "below/new.machine")
    assert ran.out == ""
    assert 'in "../timer.c"' in (here / "below" / "new.machine").read_text(encoding="utf-8")
    all_converge("below/new.machine")


NESTED = """\
machine Lamp of press in "lamp.c"
  initial state Off: on == 0
  state On: on != 0
    state Low: level == 0
    state High: level == 1
  Off -> On when longer
  On -> Off when !longer priority 1
  Low -> High priority 2
  Low -> error
"""
LAMP = """\
int on, level;
void press(int longer)
{
    if (longer)
        on = !on;
    else if (on)
        level++;
}
"""
OUTSIDE = """\
int asked(void);
int sum;
void add(int x)
{
    int got = asked();
    if (got > 4)
        sum = got * x;
    else
        sum += x / 3;
}
"""


@pytest.mark.parametrize(
    ("code", "machine"),
    [
        (LAMP, NESTED),
        (
            OUTSIDE,
            'machine Sum of add in "lamp.c"\n  state Small: sum < 10\n  state Large: sum >= 10\n  Small -> Large\n',
        ),
        (
            "#include <stdlib.h>\nint n;\nvoid f(int x) { if (x) exit(1); n = 3; }\n",
            'machine M of f in "lamp.c"\n  state A: n == 3\n  state B: n < 3\n  A -> B\n',
        ),
    ],
    ids=["nested", "from outside", "exit"],
)
def test_suggestions_for_what_is_harder_to_say(here: Path, code: str, machine: str) -> None:
    (here / "lamp.c").write_text(code, encoding="utf-8")
    (here / "m.machine").write_text(machine, encoding="utf-8")
    reflect("m.machine", "--suggest", "-o", "new.machine")
    all_converge("new.machine")


@pytest.mark.parametrize(
    "asked",
    [
        ("saturating_counter/monitor.c", "--function", "monitor_10ms", "--counter", "cnt=max"),
        ("one_hot_flags/washer.c", "--states", "idle,filling"),
        (
            "one_hot_flags/washer.c",
            "--states",
            "idle,filling,washing",
            "--reachable-from",
            "idle && !filling && !washing",
        ),
    ],
    ids=["counter", "flags", "reachable flags"],
)
def test_suggestions_from_nothing(here: Path, asked: tuple[str, ...]) -> None:
    file, *options = asked
    reflect(str(ROOT / "examples" / file), *options, "--suggest", "-o", "new.machine")
    all_converge("new.machine")


# ---- a person in front of it


def test_help_does_without_what_the_work_needs() -> None:
    heavy = ("clang", "numpy", "bitwuzla", "stateglass.pipeline", "stateglass.reflexion")
    check = "import sys; from stateglass.cli.main import run; run(['reflect', '--help'], sys.stdout, sys.stderr, {})\n"
    check += f"sys.exit(', '.join(n for n in {heavy} if n in sys.modules) or 0)"
    ran = subprocess.run(
        [sys.executable, "-c", check],
        env={"PYTHONPATH": str(PACKAGE.parent)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "--reachable-from" in ran.stdout


def test_the_limits_that_help_names_are_those_in_force() -> None:
    text = " ".join(reflect("--help").out.split())
    usual = Limits()
    assert limits_of(None, None, None, None) == usual
    assert f"Run loops up to N times. Default: {usual.unroll}." in text
    assert f"the same on every machine. Default: {usual.effort:,}, some seconds." in text
    assert f"0 looks for none. Default: {usual.questions:,}." in text
    assert "after so many seconds. Default: no limit." in text
    assert usual.seconds is None


def test_limits_that_are_given_are_in_force() -> None:
    assert limits_of(3, 4, 0, 5.5) == Limits(unroll=3, effort=4, questions=0, seconds=5.5)


def test_results_have_colours_and_remarks_fit_the_width(here: Path) -> None:
    ran = stateglass("reflect", "wrong.machine", "--color", "always")
    assert "\x1b[1;32mconvergence" in ran.out
    assert "\x1b[1;31mdivergence" in ran.out
    file = str(ROOT / "examples" / "one_hot_flags" / "washer.c")
    wide = stateglass("reflect", file, "--states", "idle,filling", "--conditions", "0", environ={"COLUMNS": "60"})
    assert all(len(line) <= 60 for line in wide.err.splitlines())


def test_texts_of_the_code_have_no_names_of_ours(here: Path) -> None:
    (here / "text.c").write_text(
        'const char *msg; int n;\nvoid f(void) { if (msg) n = msg[0]; msg = n ? "ab" : "c"; }\n', encoding="utf-8"
    )
    ran = reflect("text.c", "--states", "n", "--conditions", "0")
    assert "#" not in ran.err
    assert '`msg` is null or points to one of "ab", "c"' in " ".join(ran.err.split())


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing yet\n", "  state Running: t > 0\n"])
def test_a_machine_without_its_first_line(here: Path, text: str) -> None:
    (here / "empty.machine").write_text(text, encoding="utf-8")
    ran = reflect("empty.machine")
    assert ran.status is Exit.BAD_INPUT
    assert ran.err.startswith("empty.machine:1:")
    assert "a machine begins with its name and function" in ran.err
    assert "--function" not in ran.err


def test_json_tells_a_claim_without_a_condition_from_no_claim(here: Path) -> None:
    (here / "some.machine").write_text(GOOD.replace("  Running -> Running when t > 1\n", ""), encoding="utf-8")
    edges = json.loads(reflect("some.machine", "--format", "json").out)["edges"]
    claimed = {(e["source"], e["target"]): e["claimed"] for e in edges}
    assert claimed == {
        ("Running", "Expired"): "t == 1",
        ("Running", "Running"): None,
        ("Expired", "Expired"): "",
    }


def _interrupted(*_: object) -> Suggestion:
    raise KeyboardInterrupt


def test_a_suggestion_that_is_interrupted_leaves_what_was_found(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reflecting, "suggest", _interrupted)
    ran = reflect("wrong.machine", "--suggest", "-o", "better.machine", "-o", "found.json")
    assert ran.status is Exit.INTERRUPTED
    assert "interrupted: this is what was known" in ran.err
    assert "Expired -> Expired" in ran.out
    assert not (here / "better.machine").exists(), "half a machine is none"
    assert json.loads((here / "found.json").read_text(encoding="utf-8"))["edges"]


def test_an_interruption_is_no_accident(here: Path) -> None:
    # Fermat's last theorem for cubes is true, and no solver proves it in seconds.
    few = " && ".join(f"{name} > 0 && {name} < 1000000" for name in "abc")
    (here / "slow.c").write_text(
        "int n;\nvoid f(unsigned long a, unsigned long b, unsigned long c) {\n"
        f"  if ({few}) n = a * a * a + b * b * b == c * c * c;\n}}\n",
        encoding="utf-8",
    )
    (here / "slow.machine").write_text(
        'machine M of f in "slow.c"\n  state A: n == 1\n  state B: n != 1\n  B -> A\n', encoding="utf-8"
    )
    command = [sys.executable, "-m", "stateglass", "reflect", "slow.machine", "--solver-effort", "1000000000"]
    environ = {"PYTHONPATH": str(PACKAGE.parent)}
    with subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(8)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert process.returncode == Exit.INTERRUPTED
    assert "Traceback" not in err

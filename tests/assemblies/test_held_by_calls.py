"""Functions of a class held against a statechart, and what the project file says of code: one shelf in a folder."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Final

import pytest

from stateglass.cli.exits import Exit
from tests.cli.running import Ran, stateglass
from tests.shapes import check_shape

EXAMPLES: Final = Path(__file__).parents[2] / "examples" / "store"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("shelf.ccl", "shelf.c", "shelf.cpp", "stateglass.toml"):
        shutil.copy(EXAMPLES / name, tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def changed(file: Path, *changes: tuple[str, str]) -> None:
    text = file.read_text(encoding="utf-8")
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    file.write_text(text, encoding="utf-8")


def results(ran: Ran) -> dict[str, set[tuple[str, str, str]]]:
    report = json.loads(ran.out)
    edges = {one["pin"]: one["reflexion"]["edges"] for one in report["functions"]}
    return {pin: {(e["source"], e["target"], "+".join(e["results"])) for e in found} for pin, found in edges.items()}


def test_a_project_says_it_all_and_changed_code_is_found(here: Path) -> None:
    assert stateglass("assembly").status is Exit.OK
    changed(here / "shelf.cpp", ("++count == room", "++count > 0"), ("size > 1 ||", ""))
    ran = stateglass("assembly", "--format", "json")
    assert ran.status is Exit.FINDINGS
    # Sizes do not matter any more, and otherwise functions do what they should: what is told is another matter.
    assert results(ran)["put"] == {
        ("open", "open", "partial convergence"),
        ("open", "closed", "convergence+divergence"),
        ("closed", "closed", "convergence"),
    }
    assert results(ran)["take"] == {("open", "open", "convergence"), ("closed", "open", "convergence")}
    assert json.loads(ran.out)["simulation"]["simulates"] is False


def test_what_a_call_does_wrong_is_shown_with_its_end(here: Path) -> None:
    changed(
        here / "shelf.cpp", ("count >= room", "count > room"), ("void take() {", "void take() { count = 1 / count;")
    )
    ran = stateglass("assembly")
    assert "+  closed -> other   divergence\n     a call that takes it: count = 2, size = 0 ⟶ count = 3" in ran.out
    assert "+  open   -> error   divergence\n     a call that takes it: count = 0 ⟶ error(division) at" in ran.out
    assert "-  closed -> open    absence" not in ran.out  # 1 / 2 is 0
    assert "other: what no state covers, count = 3 for example" in ran.err


def test_a_state_that_the_code_never_gets_into_is_missing(here: Path) -> None:
    changed(here / "shelf.cpp", ("++count == room", "count > 5"))
    found = results(stateglass("assembly", "--format", "json"))
    # The design gets into it with the same data.
    assert ("open", "closed", "absence") in found["put"]
    assert ("closed", "closed", "absence") in found["put"]
    assert found["take"] == {("open", "open", "convergence"), ("closed", "open", "absence")}


def test_nothing_is_concluded_from_a_part_of_a_model(here: Path) -> None:
    ran = stateglass("assembly", "--max-states", "3", "--format", "json")
    assert ran.status is Exit.INCONCLUSIVE
    assert {result for found in results(ran).values() for _, _, result in found} == {"inconclusive"}


def test_a_call_that_does_not_end_leaves_things_open(here: Path) -> None:
    changed(here / "shelf.cpp", ("if (size > 1 ||", "while (size == 2) {} if (size > 1 ||"))
    ran = stateglass("assembly", "--format", "json")
    assert ("open", "open", "inconclusive") in results(ran)["put"]
    assert ("open", "closed", "convergence") in results(ran)["put"]


def test_mistakes_in_a_project_are_told_at_once_with_their_places(here: Path) -> None:
    toml = here / "stateglass.toml"
    changed(toml, ('file = "shelf.ccl"', 'fil = "shelf.ccl"'), ('class = "Shelf"', 'class = 1\nsystem = "shelf"'))
    ran = stateglass("assembly")
    assert ran.status is Exit.BAD_INPUT
    for said in (
        "stateglass.toml:5:1: error[project]: there is no key `fil` in `[design.shelf]`",
        "stateglass.toml:4:9: error[project]: `file` is missing",
        "stateglass.toml:6:9: error[project]: `class` should be a text",
        "stateglass.toml:7:11: error[unknown-name]: there is no system `shelf`",
    ):
        assert said in ran.err
    shutil.copy(EXAMPLES / "stateglass.toml", here)
    changed(
        toml,
        ('room = "2"', 'rom = "2"'),
        ('"take"', '"tak"'),
        ("listener.full", "lisener.full"),
        ("count == 2", "coun == State::Full ||"),
    )
    ran = stateglass("assembly")
    assert ran.status is Exit.BAD_INPUT
    for said in (
        "stateglass.toml:16:1: error[unknown-name]: there is no pin, state or variable `rom` in `shelf`",
        "stateglass.toml:11:9: error[unknown-name]: there is no public function `tak` of `Shelf`",
        "stateglass.toml:12:9: warning[design]: the code never calls `lisener.full`",
        "did you mean `listener.full` or `listener.freeAgain`?",
        "stateglass.toml:15:33: error[design]: the predicate ends where a name or a number should stand",
    ):
        assert said in ran.err
    changed(toml, (" ||", ""))
    ran = stateglass("assembly")
    assert "stateglass.toml:15:11: error[unknown-name]: there is no `coun` in `Shelf`" in ran.err
    assert "did you mean `count`?" in ran.err
    assert "there is no `State::Full`" in ran.err


def test_states_of_code_are_apart(here: Path) -> None:
    changed(here / "stateglass.toml", ("count == 2", "count >= 1"))
    ran = stateglass("assembly")
    assert ran.status is Exit.BAD_INPUT
    assert "stateglass.toml:15:11: error[design]: the states `open` and `closed` overlap: both hold for count = 1" in (
        ran.err
    )


def test_several_designs_and_one_that_cannot_be_looked_at(here: Path) -> None:
    more = '[design.c]\nfile = "shelf.ccl"\ncode = "shelf.c"\n[design.lost]\nfile = "lost.ccl"\n'
    changed(here / "stateglass.toml", ("schema = 1\n", f"schema = 1\n{more}"))
    ran = stateglass("assembly", "--format", "json")
    assert ran.status is Exit.BAD_INPUT
    report = json.loads(ran.out)
    check_shape("assembly", report)
    assert [one["design"] for one in report["designs"]] == ["c", "shelf", "lost"]
    assert "lost was not looked at" in ran.err
    assert "choose one: --design c --design lost --design shelf" in stateglass("assembly", "-o", "x.svg").err.replace(
        ",", ""
    )
    assert "did you mean `shelf`?" in stateglass("assembly", "--design", "shel").err


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (["shelf.ccl", "--design", "shelf"], "--design and a FILE are given"),
        (["--claim", "no-deadlock"], "--claim is given, and no design"),
        (["shelf.ccl", "--map", "a=b"], "--map is about code"),
        (["-o", "x.pdf"], "unknown extension"),
        (["-o", "-", "--format", "json"], "standard output cannot carry both"),
    ],
)
def test_odd_command_lines(line: list[str], said: str, here: Path) -> None:
    ran = stateglass("assembly", *line)
    assert (ran.status, said in ran.err) == (Exit.BAD_INPUT, True)


def test_a_folder_without_designs(here: Path) -> None:
    (here / "stateglass.toml").write_text("schema = 1\n", encoding="utf-8")
    assert "stateglass.toml has no design" in stateglass("assembly").err


def test_pictures_have_all_functions(here: Path) -> None:
    changed(here / "shelf.cpp", ("count >= room", "count > room"))
    files = ("x.svg", "x.dot", "x.html", "x.json")
    assert stateglass("assembly", *(part for file in files for part in ("-o", file))).status is Exit.FINDINGS
    dot = (here / "x.dot").read_text(encoding="utf-8")
    assert "[+] ^put" in dot
    assert "[=] ^take" in dot
    assert len(re.findall(r"^  \d+ -> \d+ ", dot, re.MULTILINE)) == 8
    assert "^take" in (here / "x.svg").read_text(encoding="utf-8")
    page = (here / "x.html").read_text(encoding="utf-8")
    assert "class Shelf" in page
    assert "at the event" in page
    check_shape("assembly", json.loads((here / "x.json").read_text(encoding="utf-8")))


def test_without_states_there_is_the_second_answer_only(here: Path) -> None:
    (here / "shelf.ccl").write_text(
        "".join(line for line in (EXAMPLES / "shelf.ccl").read_text().splitlines(True) if '"code"' not in line),
        encoding="utf-8",
    )
    changed(here / "stateglass.toml", ('open = "count < 2"\n', ""), ('closed = "count == 2"\n', ""))
    ran = stateglass("assembly")
    assert ran.status is Exit.OK
    assert ran.out == "shelf weakly simulates the code: it can do all that the code does\n"
    assert "functions are not held against `S` one by one" in ran.err


def test_data_is_compared_by_value(here: Path) -> None:
    (here / "gate.ccl").write_text(
        """enum Way { IN, OUT };
component gate() {
    int left = 3;
    sink asynch turn(Way way);
    source asynch told(Way way);
    threaded react G(turn, told) {
        start -> shut {}
        shut -> open { trigger ^turn(way); guard way == OUT; action ^told(way); }
        open -> shut { trigger ^turn(way); guard way == IN; }
    }
    annotate G {"code", const string turn = "turn", const string told = "log.told"}
    annotate G {"code", const string shut = "at == State::Shut", const string open = "at == State::Open"}
}
""",
        encoding="utf-8",
    )
    (here / "gate.cpp").write_text(
        """enum class Way { In, Out };
struct Log { virtual void told(Way way) = 0; };
class Gate {
    enum class State { Shut, Open } at = State::Shut;
    Log &log;
public:
    Gate(Log &l) : log(l) {}
    void turn(Way way) {
        if (at == State::Shut && way == Way::Out) { at = State::Open; log.told(way); }
        else if (way == Way::In) at = State::Shut;
    }
};
""",
        encoding="utf-8",
    )
    line = ("assembly", "gate.ccl", "--against", "gate.cpp", "--class", "Gate")
    ran = stateglass(*line)
    assert ran.status is Exit.OK, ran.out + ran.err
    changed(here / "gate.cpp", ("{ In, Out }", "{ Out, In }"))
    assert stateglass(*line).status is Exit.FINDINGS
    changed(here / "gate.ccl", ("{ IN, OUT }", "{ In, Out }"), ("== OUT", "== Out"), ("== IN", "== In"))
    assert "`In` is 0 in the design and 1 in the code" in stateglass(*line).err


@pytest.mark.parametrize("of_class", ["Lamp", "home::Lamp", "home::Box<int>", "Own"])
def test_classes_have_bases_namespaces_and_templates(of_class: str, here: Path) -> None:
    (here / "lamp.ccl").write_text(
        """component lamp() {
    sink asynch press();
    source asynch beep();
    threaded react L(press, beep) {
        start -> off {}
        off -> on { trigger ^press(); }
        on -> off { trigger ^press(); action ^beep(); }
    }
    annotate L {"code", const string press = "press", const string on = "on", const string off = "!on"}
}
""",
        encoding="utf-8",
    )
    body = "if (on) others.beep(); on = !on;"
    (here / "lamp.cpp").write_text(
        f"""namespace home {{
struct Others {{ virtual void beep() = 0; }};
struct Base {{ bool on = false; Others &others; Base(Others &o) : others(o) {{}} void press() {{ {body} }} }};
class Lamp : public Base {{ public: Lamp(Others &others) : Base(others) {{}} }};
template <class T> struct Box {{ T on = 0; Others &others; Box(Others &o) : others(o) {{}} void press() {{ {body} }} }};
template class Box<int>;
}}
struct Own {{ bool on = false; void press() {{ if (on) beep(); on = !on; }} void beep(); }};
""",
        encoding="utf-8",
    )
    beep = "beep" if of_class == "Own" else "others.beep"
    ran = stateglass("assembly", "lamp.ccl", "--against", "lamp.cpp", "--class", of_class, "--map", f"beep={beep}")
    assert ran.status is Exit.OK, ran.out + ran.err
    assert ran.out.count("convergence") == 2
    assert "warning" not in ran.err


def test_settings_that_change_what_is_seen_leave_things_open(here: Path) -> None:
    toml = here / "stateglass.toml"
    toml.write_text(toml.read_text() + '[system.x]\nsubject = "Shelf"\nlabels = ["call put => x"]\n', encoding="utf-8")
    ran = stateglass("assembly")
    assert ran.status is Exit.INCONCLUSIVE
    assert ran.out.count("inconclusive") == 3
    # One call would do nothing wrong.
    toml.write_text('schema = 1\n[system.x]\nsubject = "shelf_put"\nmode = "run"\n', encoding="utf-8")
    shutil.copy(EXAMPLES / "shelf_wrong.c", here)
    assert "does not weakly simulate" in stateglass("assembly", "shelf.ccl", "--against", "shelf_wrong.c").out


def test_reactions_have_states_of_their_own(here: Path) -> None:
    reaction = """    threaded react %s(%s) {
        start -> off {}
        off -> on { trigger ^%s(); }
        on -> off { trigger ^%s(); }
    }
    annotate %s {"code", const string off = "!%s", const string on = "%s", const string %s = "%s"}
"""
    both = "".join(reaction % (n, p, p, p, n, p, p, p, p) for n, p in (("L", "light"), ("F", "fan")))
    text = f"component room() {{\n    sink asynch light();\n    sink asynch fan();\n{both}}}\n"
    (here / "room.ccl").write_text(text.replace('string light = "light"', 'string light = "lit"'), encoding="utf-8")
    (here / "room.cpp").write_text(
        "class Room { bool light = false, fan = false;\n"
        "public: void lit() { light = !light; } void fanned() { fan = true; } };\n",
        encoding="utf-8",
    )
    line = ("room.ccl", "--against", "room.cpp", "--class", "Room", "--map", "pin.fan=fanned", "-o", "x.dot")
    ran = stateglass("assembly", *line, "--format", "json")
    assert ran.status is Exit.FINDINGS, ran.err
    assert results(ran) == {
        "light": {("off", "on", "convergence"), ("on", "off", "convergence")},
        "fan": {("off", "on", "convergence"), ("on", "off", "absence"), ("on", "on", "divergence")},
    }
    dot = (here / "x.dot").read_text(encoding="utf-8")
    assert dot.count("subgraph cluster_") == 2
    assert len(re.findall(r"^  \d+ -> \d+ ", dot, re.MULTILINE)) == 5
    assert "F.on -> F.off: absence" in dot

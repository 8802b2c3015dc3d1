"""What stands in the way in code that others wrote: included source files, literals, base classes, long lists."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from stateglass.cli.exits import Exit
from tests.cli.running import stateglass
from tests.replay.driven import GCC

MACHINE = "static int state;\nvoid up(void);\nvoid step(int by) { state = (state + by) % 3; if (state == 2) up(); }\n"


@pytest.fixture(autouse=True)
def here(here: Path) -> Path:
    (here / "machine.c").write_text(MACHINE, encoding="utf-8")
    return here


def written(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(text, encoding="utf-8")


class TestAnIncludedSourceFile:
    """A file without functions of its own stands for it; otherwise, and of a header, only what is used is there."""

    def test_its_functions_can_be_called(self, here: Path) -> None:
        written(here, "around.c", '#include "machine.c"\n')
        ran = stateglass("extract", "around.c", "--function", "step", "--bound", "step.by={1}", "-o", "m.sg")
        assert ran.status is Exit.OK
        assert ran.err.startswith("step: 8 states")
        assert "around.c: 1 of 1 functions understood in full" in stateglass("doctor", "around.c").out
        assert stateglass("init", "around.c").status is Exit.OK

    def test_around_functions_only_what_these_use_is_there(self, here: Path) -> None:
        written(here, "around.c", '#include "machine.c"\nvoid other(void) {}\n')
        ran = stateglass("extract", "around.c", "--function", "step", "--bound", "step.by={1}", "-o", "m.sg")
        assert ran.status is Exit.BAD_INPUT

    def test_those_of_a_header_that_nobody_calls_are_not_there(self, here: Path) -> None:
        written(here, "machine.h", MACHINE)
        written(here, "around.c", '#include "machine.h"\nint other;\n')
        ran = stateglass("extract", "around.c", "--function", "step", "--bound", "step.by={1}", "-o", "m.sg")
        assert ran.status is Exit.BAD_INPUT

    @pytest.mark.skipif(GCC is None, reason="there is no gcc")
    def test_its_variables_are_compared_by_a_replay(self, here: Path) -> None:
        written(here, "around.c", '#include "machine.c"\n')
        claim = ("--claim", "G [state < 2]", "--bound", "step.by={1}", "--function", "step")
        assert stateglass("check", "around.c", *claim, "-o", "run.json").status is Exit.FINDINGS
        assert stateglass("replay", "run.json").out.startswith("G [state < 2]: confirmed")


class TestALiteral:
    """Nobody writes to one, whatever the declaration of the function says that is given it."""

    def test_no_bound_is_asked_for(self, here: Path) -> None:
        written(here, "a.c", 'void say(char *text);\nint n;\nvoid f(void) { n = !n; say("on"); say("off"); }\n')
        ran = stateglass("extract", "a.c", "-o", "m.sg")
        assert ran.status is Exit.OK
        assert "error" not in ran.err

    @pytest.mark.parametrize("given", ["buffer", '(char[]){"on"}', "n ? buffer : (char *)0"])
    def test_of_anything_else_it_is(self, here: Path, given: str) -> None:
        body = f'void f(void) {{ n = !n; say("on"); say({given}); n = buffer[0]; }}'
        written(here, "a.c", f"void say(char *text);\nint n;\nchar buffer[4];\n{body}\n")
        ran = stateglass("extract", "a.c", "-o", "m.sg")
        assert ran.status is Exit.BAD_INPUT
        assert "`say.text`" in ran.err


class TestAClass:
    """One that is derived from an abstract class, to the constructor of which a text and an object are handed on."""

    CODE = """#include <string>
class Sink {
public:
    Sink(const char *name, Sink *next) : name(name), next(next) {}
    virtual ~Sink() = default;
    virtual void put(int c) = 0;
protected:
    void from(std::istream &);
    std::string name;
    Sink *next;
};
class Doubling : public Sink {
public:
    Doubling(const char *name, Sink *next) : Sink(name, next) {}
    void put(int c) override { if (odd) next->put(c); odd = !odd; }
private:
    bool odd = false;
};
"""

    def test_its_model_has_no_error(self, here: Path) -> None:
        written(here, "sink.cpp", self.CODE)
        bounds = ("--bound", "put.c={7}", "--bound", 'Doubling.name={"d"}')
        ran = stateglass("extract", "sink.cpp", "--class", "Doubling", *bounds, "-o", "m.sg")
        assert ran.status is Exit.OK
        labels = json.loads(stateglass("info", "m.sg", "--format", "json").out)["labels"]
        assert "call(next.put, 7)" in labels
        assert not [label for label in labels if label.startswith("error")]

    def test_scan_looks_at_the_class_of_the_project(self, here: Path) -> None:
        written(here, "sink.cpp", self.CODE)
        project = 'schema = 1\n[source]\nfiles = ["sink.cpp"]\n[system.s]\nsubject = "Doubling"\n'
        written(here, "stateglass.toml", project)
        ran = stateglass("scan")
        assert ran.status is Exit.OK
        assert "this->odd" in ran.out
        assert "%" not in ran.out

    def test_a_hypothesis_about_it_is_refused_by_name(self, here: Path) -> None:
        written(here, "sink.cpp", self.CODE)
        written(here, "m.machine", 'machine M of put in "sink.cpp"\n  state A: odd\n')
        ran = stateglass("reflect", "m.machine")
        assert ran.status is Exit.BAD_INPUT
        assert "`sink.cpp` is C++" in ran.err


def test_scan_lists_what_decisions_read_and_names_the_rest(here: Path) -> None:
    body = "int next = step + 1; if (mode) mode = 0; else if (next > 3) mode = 1; step = next;"
    written(here, "a.c", f"int mode, step;\nvoid f(void) {{ {body} }}\n")
    lines = stateglass("scan", "a.c").out.splitlines()
    assert [line.split()[0] for line in lines if line.startswith("  ") and "(" not in line][:2] == ["name", "mode"]
    assert not [line for line in lines if line.startswith("  step ")]
    assert "  Indirectly also: step" in lines
    candidates = json.loads(stateglass("scan", "a.c", "--format", "json").out)["candidates"]
    assert {c["name"] for c in candidates} == {"mode", "step"}


def test_scan_shows_little_of_what_nothing_asks_for_itself(here: Path) -> None:
    """A structure of a library, of which functions without a body may use each member; and a macro that asks twice."""
    members = "".join(f"int m{n:02}; " for n in range(20))
    text = f"struct window {{ {members}}};\nextern struct window *screen;\nint put(struct window *w);\n"
    text += "int mode;\n#define EITHER (mode == 1 || mode == 2 || mode == 1)\n"
    written(
        here, "a.c", text + "void f(void) { if (put(screen)) put(screen); }\nvoid g(void) { if (EITHER) mode = 0; }\n"
    )
    lines = stateglass("scan", "a.c").out.splitlines()
    assert len([line for line in lines if line.startswith("  screen->m")]) == 4
    assert any(line.startswith("  Indirectly also: screen->m04, ") for line in lines)
    asked = [line.split()[2:] for line in lines if "EITHER" in line]
    assert len(asked) == 1
    assert len(json.loads(stateglass("scan", "a.c", "--format", "json").out)["candidates"]) == 22

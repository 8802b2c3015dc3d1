"""`diff` on models, code and revisions: answers, statuses, streams, files."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
from pathlib import Path

import pytest

from stateglass.cli.exits import Exit
from stateglass.cli.progress import ProgressLine
from stateglass.formats import write_model
from tests.cli.running import Ran, stateglass
from tests.relate.random_models import built

CODE = """\
#include "limit.h"
static int count;
_Bool up(void)
{
    if (count == HIGH)
        return 0;
    count++;
    return 1;
}
"""
PROJECT = """\
schema = 1
[source]
files = ["src/count.c"]
[system.counter]
subject = "up"
[claims]
small = "G [count <= 2]"
"""
LINE = "`call(up)` now leads to count == 3 (was 2) and returns true (was false) when count == 2"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def git(*words: str) -> None:
    settings = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *settings, *words], check=True, capture_output=True)


@pytest.fixture
def repository(here: Path) -> Path:
    """One commit, and another limit in the header of the working files."""
    Path("src").mkdir()
    Path("src/count.c").write_text(CODE)
    Path("src/limit.h").write_text("#define HIGH 2\n")
    Path("stateglass.toml").write_text(PROJECT)
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "one")
    Path("src/limit.h").write_text("#define HIGH 3\n")
    return here


def text(ran: Ran) -> str:
    return " ".join(ran.out.split())


# ---- models


def test_models_that_do_the_same(here: Path) -> None:
    write_model(built([(0, "a", 1), (1, "tau", 0)], 2), "old.aut")
    write_model(built([(0, "a", 0)], 1), "new.aut")
    ran = stateglass("diff", "old.aut", "new.aut")
    assert (ran.status, ran.out) == (Exit.OK, "no behaviour change\n")
    assert "old.aut: 2 states, 2 transitions" in ran.err
    assert stateglass("diff", "old.aut", "new.aut", "--by", "strong").status is Exit.FINDINGS


def test_values_count_unless_they_do_not(here: Path) -> None:
    write_model(built([(0, "a", 1), (1, "a", 0)], 2, values=[0, 1]), "old.sg")
    write_model(built([(0, "a", 1), (1, "a", 0)], 2, values=[0, 2]), "new.sg")
    ran = stateglass("diff", "old.sg", "new.sg")
    assert ran.status is Exit.FINDINGS
    assert ran.out.splitlines()[:2] == ["behaviour changed: 1 change", "  `a` now leads to p == 2 (was 1)"]
    assert stateglass("diff", "old.sg", "new.sg", "--actions-only").status is Exit.OK
    assert "no proposition `q`" in stateglass("diff", "old.sg", "new.sg", "--keep", "q").err
    assert "both sides are models" in stateglass("diff", "old.sg", "new.sg", "--function", "f").err
    both = stateglass("diff", "old.sg", "new.sg", "--keep", "p", "--actions-only")
    assert both.status is Exit.BAD_INPUT


def test_a_partial_model_is_inconclusive(here: Path) -> None:
    write_model(built([(0, "a", 1), (1, "b", 0)], 2), "whole.sg")
    write_model(built([(0, "a", 1)], 2, unexplored=[1]), "part.sg")
    ran = stateglass("diff", "whole.sg", "part.sg")
    assert ran.status is Exit.INCONCLUSIVE
    assert ran.out.startswith("inconclusive: part.sg is partial")


def test_a_claim_that_only_one_side_can_be_asked(here: Path) -> None:
    write_model(built([(0, "a", 0)], 1), "old.aut")
    write_model(built([(0, "a", 0), (0, "b", 0)], 1), "new.aut")
    ran = stateglass("diff", "old.aut", "new.aut", "--claim", "ctl: EF b")
    assert "ctl: EF b: not asked -> holds" in ran.out
    assert "not asked of the old side" in ran.out
    ran = stateglass("diff", "old.aut", "new.aut", "--claim", "ctl: EF c")
    assert (ran.status, ran.out) == (Exit.BAD_INPUT, "")
    assert "is about neither side" in ran.err


SCENARIOS = """\
event again = call(up)
event full = rises(count == 2)
event fuller = rises(count == 3)
scenario fills: again ~> full
scenario only: again <- full
scenario overfills: again ~> fuller
"""


def test_scenarios_before_and_after(repository: Path) -> None:
    """The old side never counts to three, and is asked all the same."""
    Path("count.scenarios").write_text(SCENARIOS)
    ran = stateglass("diff", "HEAD", ".", "--scenarios", "count.scenarios", "--format", "json")
    verdicts = {s["claim"]: (s["before"]["verdict"], s["after"]["verdict"]) for s in json.loads(ran.out)["scenarios"]}
    assert verdicts["fills"] == verdicts["only"] == ("holds", "holds")
    assert verdicts["overfills"][1] == "holds"
    assert verdicts["overfills"][0] != "holds"
    told = stateglass("diff", "HEAD", ".", "--scenarios", "count.scenarios", "--scenario", "overfills")
    assert "scenarios:\n  overfills: " in told.out
    Path("stateglass.toml").write_text(PROJECT + '[scenarios]\nfile = "count.scenarios"\n')
    git("add", ".")
    git("commit", "-qm", "two")
    for sides in (["HEAD~1", "."], ["HEAD~1", "HEAD"], ["HEAD~1:src/count.c", "src/count.c"]):
        assert "scenarios:\n  fills: holds\n" in stateglass("diff", *sides).out


def test_words_that_only_one_side_knows(here: Path) -> None:
    write_model(built([(0, "a", 0)], 1), "old.aut")
    write_model(built([(0, "a", 0), (0, "b", 0)], 1), "new.aut")
    Path("s.scenarios").write_text("event one = a\nevent two = b\nscenario x: one ~> one\nscenario y: one ~> two\n")
    ran = stateglass("diff", "old.aut", "new.aut", "--scenarios", "s.scenarios", "--format", "json")
    x, y = json.loads(ran.out)["scenarios"]
    assert (x["before"]["verdict"], x["after"]["verdict"]) == ("holds", "holds")
    assert (y["before"], y["after"]["verdict"]) == (None, "holds")
    assert "not asked of the old side" in y["reason"]
    ran = stateglass("diff", "old.aut", "new.aut", "--scenario", "a ~> b")
    assert "not asked of the old side: the model has no event `b`\n" in ran.out


# ---- code


def test_code_with_headers_of_its_own_folder(here: Path) -> None:
    for name, limit in (("old", 2), ("new", 3)):
        Path(name).mkdir()
        Path(name, "count.c").write_text(CODE)
        Path(name, "limit.h").write_text(f"#define HIGH {limit}\n")
    ran = stateglass("diff", "old/count.c", "new/count.c", "--claim", "G [count <= 2]")
    assert ran.status is Exit.FINDINGS
    assert LINE in text(ran)
    assert "G [count <= 2]: holds -> violated" in ran.out
    assert "\nnow:\nG [count <= 2]: violated\n" in ran.out
    assert "new/count.c:3 | _Bool up(void)" in ran.out
    assert all(len(line) <= 80 for line in ran.out.splitlines())
    back = stateglass("diff", "new/count.c", "old/count.c", "--claim", "G [count <= 2]")
    assert "G [count <= 2]: violated -> holds" in back.out
    assert "\nno longer:\nG [count <= 2]: violated\n" in back.out


def test_several_files_on_one_side(here: Path) -> None:
    Path("limit.h").write_text("#define HIGH 2\n")
    Path("one.c").write_text(CODE + "void down(void) { count = 0; }\n")
    Path("a.c").write_text(CODE.replace("static int", "int"))
    Path("b.c").write_text("extern int count;\nvoid down(void) { count = 0; }\n")
    ran = stateglass("diff", "one.c", "a.c,b.c", "--function", "up", "--function", "down")
    assert (ran.status, ran.out.splitlines()[0]) == (Exit.OK, "no behaviour change")


def test_a_function_that_only_one_side_has(here: Path) -> None:
    old = "int n; void up(void) { n = 1; }\n"
    Path("old.c").write_text(old)
    Path("new.c").write_text(old + "void set(int to) { n = to; }\n")
    words = ["--function", "up", "--function", "set", "--bound", "set.to=0..1"]
    ran = stateglass("diff", "old.c", "new.c", *words)
    assert ran.status is Exit.FINDINGS
    assert "`call(set, *)` is now possible" in ran.out
    back = stateglass("diff", "new.c", "old.c", *words)
    assert "`call(set, *)` is no longer possible" in back.out
    wrong = stateglass("diff", "old.c", "new.c", *words, "--function", "sett")
    assert wrong.status is Exit.BAD_INPUT
    assert "neither side has a function `sett`" in wrong.err


def test_code_beside_a_model_of_it(here: Path) -> None:
    Path("count.c").write_text(CODE.replace("HIGH", "2").replace('#include "limit.h"\n', ""))
    assert stateglass("extract", "count.c", "-o", "count.sg").status is Exit.OK
    assert stateglass("diff", "count.sg", "count.c").status is Exit.OK
    assert stateglass("diff", "count.c", "count.sg").status is Exit.OK


# ---- revisions


@pytest.mark.parametrize(
    "words",
    [
        ["HEAD:src/count.c", "src/count.c"],
        ["HEAD", "src/count.c"],
        ["HEAD:", "."],
        ["HEAD", ".", "--system", "counter"],
        ["main", "src/count.c", "--project", "stateglass.toml"],
    ],
)
def test_a_revision_with_its_headers(repository: Path, words: list[str]) -> None:
    ran = stateglass("diff", *words)
    assert ran.status is Exit.FINDINGS, ran.err
    assert LINE in text(ran)
    assert "small: holds -> violated" in ran.out
    back = stateglass("diff", words[1], words[0], *words[2:])
    assert "small: violated -> holds" in back.out
    assert "src/count.c:3 | _Bool up(void)" in back.out


def test_two_revisions_from_a_folder_below(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git("commit", "-qam", "two")
    monkeypatch.chdir("src")
    for words in (["HEAD~1:src/count.c", "count.c"], ["HEAD~1:./count.c", "HEAD"], ["HEAD~1", "HEAD"]):
        ran = stateglass("diff", *words)
        assert ran.status is Exit.FINDINGS, ran.err
        assert LINE in text(ran)


def test_names_from_the_root_of_the_machine(repository: Path) -> None:
    """Headers of the old version are read, wherever flags say that they are."""
    Path("include").mkdir()
    Path("src/limit.h").rename("include/limit.h")
    git("add", ".")
    Path("include/limit.h").write_text("#define HIGH 2\n")
    git("commit", "-qam", "moved")
    Path("include/limit.h").write_text("#define HIGH 3\n")
    for folder in ("include", str(repository / "include")):
        for new in ("src/count.c", str(repository / "src" / "count.c")):
            ran = stateglass("diff", "HEAD", new, "-I", folder)
            assert LINE in text(ran), ran.err
            assert tempfile.gettempdir() + os.sep + "stateglass-" not in ran.out + ran.err


def test_a_format_is_for_models(here: Path) -> None:
    Path("m.txt").write_text('des (0, 1, 1)\n(0, "a", 0)\n')
    assert stateglass("diff", "m.txt", "m.txt", "--from", "aut").status is Exit.OK
    assert "is no model" in stateglass("diff", ".", "m.txt", "--from", "aut").err


def test_a_revision_with_other_files(repository: Path) -> None:
    """The old project has one file, the new one two: each side is read as its project says."""
    Path("src/limit.h").write_text("#define HIGH 2\n")
    Path("src/count.c").write_text(
        '#include "limit.h"\n_Bool low(void);\nint count;\n_Bool up(void)\n'
        "{\n    if (!low())\n        return 0;\n    count++;\n    return 1;\n}\n"
    )
    Path("src/low.c").write_text('#include "limit.h"\nextern int count;\n_Bool low(void) { return count < HIGH; }\n')
    Path("stateglass.toml").write_text(PROJECT.replace('"src/count.c"', '"src/count.c", "src/low.c"'))
    ran = stateglass("diff", "HEAD", ".")
    assert (ran.status, ran.out.splitlines()[0]) == (Exit.OK, "no behaviour change"), ran.err


def test_nothing_of_the_folder_in_between_is_seen(
    repository: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Of its own: others write and remove such folders at the same time.
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path_factory.mktemp("between")))
    page = stateglass("diff", "HEAD", ".", "-o", "d.html", "-o", "d.md", "-o", "d.json", "--format", "json")
    written = [page.out, page.err, *(Path(f"d.{kind}").read_text() for kind in ("html", "md", "json"))]
    Path("src/limit.h").write_text("#define HIGH oops\n")
    git("commit", "-qam", "broken")
    broken = stateglass("diff", "HEAD", ".")
    assert broken.status is Exit.BAD_INPUT
    assert "src/count.c" in broken.err or "src/limit.h" in broken.err
    for said in (*written, broken.err):
        assert tempfile.gettempdir() + os.sep + "stateglass-" not in said
    assert not list(Path(tempfile.gettempdir()).glob("stateglass-*/files/src/limit.h"))


def test_evidence_of_a_revision_is_not_for_a_replay(repository: Path) -> None:
    git("commit", "-qam", "two")
    report = json.loads(stateglass("diff", "HEAD", "HEAD~1", "--format", "json").out)
    [claim] = report["claims"]
    assert (claim["before"]["verdict"], claim["after"]["verdict"], claim["changed"]) == ("violated", "holds", True)
    assert "subject" not in claim["before"]["evidence"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["HEAD~7:src/count.c", "src/count.c"], "there is no revision `HEAD~7`"),
        (["HAED:src/count.c", "src/count.c"], "did you mean `HEAD`?"),
        (["HEAD:count.c", "src/count.c"], "did you mean `HEAD:src/count.c`?"),
        (["HEAD:src/count.cc", "src/count.c"], "there is no `src/count.cc` at revision `HEAD`"),
        (["HEAD~7", "src/count.c"], "there is no revision `HEAD~7`"),
        (["src/conut.c", "src/count.c"], "there is no such file"),
        (["-", "-"], "only one of the two sides"),
        (["HEAD:src/count.c", "src/count.c", "-o", "x.pdf"], "a difference is written as"),
        (["HEAD:src/count.c", "src/count.c", "-o", "-"], "written to files"),
        (["HEAD:src/count.c", "src/count.c", "--expect", "no.expect"], "no such file"),
    ],
)
def test_what_cannot_be_compared(repository: Path, words: list[str], said: str) -> None:
    ran = stateglass("diff", *words)
    assert (ran.status, ran.out) == (Exit.BAD_INPUT, "")
    assert said in " ".join(ran.err.split())


def test_outside_of_a_repository(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(here.parent))
    Path("x.c").write_text("void f(void) {}\n")
    assert "in no git repository" in stateglass("diff", "HEAD:x.c", "x.c").err
    Path("empty").mkdir()
    assert "no stateglass.toml in the folder `empty`" in stateglass("diff", "empty", "x.c").err
    monkeypatch.setenv("PATH", str(here))
    assert "git is not found" in stateglass("diff", "HEAD:x.c", "x.c").err


# ---- what is written


def test_the_facts(repository: Path) -> None:
    ran = stateglass("diff", "HEAD:src/count.c", "src/count.c", "--format", "json")
    report = json.loads(ran.out)
    assert report["equivalent"] is False
    assert report["compared"] == ["count"]
    assert (report["added"], report["removed"], report["labels"]) == ([], [], {"added": [], "removed": []})
    [moved] = report["moved"]
    assert (moved["action"], moved["condition"], moved["exact"], moved["count"]) == ("call(up)", "count == 2", True, 1)
    assert (moved["before"], moved["after"], moved["text"]) == ("count == 2", "count == 3", LINE)
    assert [step["action"] for step in moved["run"]][-2:] == ["call(up)", "return(up, true)"]
    assert moved["confirmed_by"] == ["reference"]
    assert [model["name"] for model in report["models"]] == ["HEAD:src/count.c", "src/count.c"]


def test_pictures_and_comments(repository: Path) -> None:
    outputs = [word for kind in ("svg", "html", "md", "json") for word in ("-o", f"change.{kind}")]
    ran = stateglass("diff", "HEAD", ".", *outputs, "--format", "markdown")
    assert ran.status is Exit.FINDINGS
    assert ran.out == Path("change.md").read_text()
    assert ran.out.startswith("### Behaviour changed: 1 change\n")
    assert f"| changed | {LINE} | 1 |" in ran.out
    assert "| `small` | holds | violated | changed |" in ran.out
    assert ran.out.count("<details>") == ran.out.count("</details>") == 2
    picture = Path("change.svg").read_text()
    assert picture.count("stroke-dasharray") >= 1
    assert re.search(r"\+ call\(up\), return\(up, true\)", picture.replace("&#45;", "-"))
    assert "<svg" in Path("change.html").read_text()
    assert json.loads(Path("change.json").read_text())["outputs"] == [
        f"change.{k}" for k in ("svg", "html", "md", "json")
    ]


def test_text_of_any_kind_does_no_harm_in_comments(here: Path) -> None:
    label = "a|b <script>`x` [y](z) *_#"
    write_model(built([(0, label, 0)], 1), "old.sg")
    write_model(built([(0, "b", 0)], 1), "new.sg")
    comment = stateglass("diff", "old.sg", "new.sg", "-o", "d.html", "--format", "markdown").out
    for line in comment.splitlines():
        if line.startswith("|"):
            assert len(re.findall(r"(?<!\\)\|", line)) == 4
    assert "<script>`" not in Path("d.html").read_text()


# ---- declared changes


def test_declared_changes(repository: Path) -> None:
    Path("change.expect").write_text("changed call(up) when count == 2\nclaim small may become violated\n")
    ran = stateglass("diff", "HEAD", ".", "--expect", "change.expect")
    assert ran.out.startswith("no behaviour change beyond what was declared\n")
    assert "small: holds -> violated (expected)" in ran.out
    assert ran.status is Exit.OK
    Path("change.expect").write_text("changed call(up) when count == 2\nclaim small may become vacuous\n")
    ran = stateglass("diff", "HEAD", ".", "--expect", "change.expect")
    assert ran.status is Exit.FINDINGS
    assert "change.expect:2: expected, and did not come true: claim small may become vacuous" in text(ran)


def test_a_function_with_a_new_name(repository: Path) -> None:
    Path("src/limit.h").write_text("#define HIGH 2\n")
    Path("src/count.c").write_text(CODE.replace("up(", "increase("))
    Path("e").write_text("rename up -> increase\n")
    for name in ("up", "increase"):
        claim = f"G(call({name}) => F return({name}, *))"
        words = ["HEAD:src/count.c", "src/count.c", "--function", name, "--claim", claim, "--expect", "e"]
        ran = stateglass("diff", *words)
        assert (ran.status, ran.out.splitlines()[0]) == (Exit.OK, "no behaviour change beyond what was declared"), (
            ran.err
        )


# ---- interruption


@pytest.mark.parametrize("phase", ["comparing", "describing what changed", "checking", "following the evidence again"])
def test_interrupted(repository: Path, monkeypatch: pytest.MonkeyPatch, phase: str) -> None:
    told = ProgressLine.__call__

    def interrupted(self: ProgressLine, now: str, /, **counts: int) -> None:
        told(self, now, **counts)
        if now == phase:
            raise KeyboardInterrupt

    monkeypatch.setattr(ProgressLine, "__call__", interrupted)
    ran = stateglass("diff", "HEAD", ".")
    assert ran.status is Exit.INTERRUPTED
    assert "interrupted" in ran.err

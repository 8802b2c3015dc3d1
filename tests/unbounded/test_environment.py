"""What the environment gives where no bound says anything: any value, and an answer that tells where it is not."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from stateglass.cli.exits import Exit
from tests.cli.running import Ran, stateglass

POINTER = "int f(int *p) { return 100u / (*p - 5); }"
MACHINE = """
struct machine { unsigned limit, count; };
void reset(struct machine *m) { m->limit = 3; m->count = 0; }
void step(struct machine *m) { if (m->count < m->limit) m->count++; }
"""


@pytest.fixture(autouse=True)
def _in_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def checked(code: str, *options: str) -> tuple[list[str], Ran]:
    """The verdicts, and all that is said."""
    Path("code.c").write_text(code, encoding="utf-8")
    ran = stateglass("check", "code.c", *options, "-o", "evidence.json")
    found = json.loads(Path("evidence.json").read_text(encoding="utf-8"))["verdicts"]
    return [verdict["verdict"] for verdict in found], ran


def test_what_a_pointer_leads_to_may_be_anything() -> None:
    verdicts, ran = checked(POINTER, "--errors", "division")
    assert verdicts == ["violated"]
    assert "At first f.p = 5." in ran.out
    assert "call(f, &p=5)" in ran.out
    assert "`p` points to one `int32` that starts with any value and keeps what is made of it" in ran.err


def test_where_every_state_is_looked_at_it_starts_at_zero() -> None:
    verdicts, ran = checked(POINTER, "--engine", "explicit")
    assert verdicts == ["holds"]
    assert "starts at zero and keeps its value: no other beginning is looked at" in ran.err


def test_claims_that_need_every_state_keep_their_meaning_beside_others() -> None:
    verdicts, ran = checked(POINTER, "--errors", "division", "--claim", "no-deadlock", "--claim", "no-error")
    assert verdicts == ["holds", "violated"]
    assert "note: for `no-deadlock` what is handed in starts at zero" in ran.err


def test_another_run_needs_bounds() -> None:
    Path("code.c").write_text(POINTER, encoding="utf-8")
    assert stateglass("check", "code.c", "--next").status is Exit.BAD_INPUT


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no compiler")
@pytest.mark.parametrize(
    "code",
    [
        POINTER,
        "int f(int (*t)[3]) { return (*t)[0] == 4 && (*t)[2] == 9 ? *(int *)0 : 0; }",
        "struct s { char k; struct { short a[2]; } in; }; int f(const struct s *p)"
        "{ return p->k == 7 && p->in.a[1] == 300 ? *(int *)0 : 0; }",
        "void fill(short *b, int n); int f(void)"
        "{ short b[5] = {0}; fill(b + 1, 4); return b[4] == 77 ? *(int *)0 : 0; }",
        "struct m { int k; long body[2]; }; void get(void *p); int f(void)"
        "{ struct m m = {0}; get(&m); return m.k == 1 && m.body[1] == 1L << 40 ? *(int *)0 : 0; }",
    ],
)
def test_runs_with_such_values_are_done_by_the_compiled_code(code: str) -> None:
    verdicts, ran = checked(code, "--function", "f")
    assert verdicts == ["violated"], ran.out
    (found,) = json.loads(Path("evidence.json").read_text(encoding="utf-8"))["verdicts"]
    assert found["evidence"]["confirmed_by"] == ["reference", "replay"]
    assert stateglass("replay", "evidence.json").status is Exit.OK


@pytest.mark.parametrize(
    ("call", "all_is_written"),
    [
        ("get((char *)&m)", True),
        ("char *p = (char *)&m; get(p)", True),
        ("get((char *)(void *)&m)", True),
        ("get((char *)m.name)", False),
        ("get(&m.name[1])", False),
        ("get((char *)&m.kind)", False),
        ("char row[3] = {0}; get(row + 1); (void)row", False),
    ],
)
@pytest.mark.parametrize("engine", ["bmc", "predicate"])
def test_a_record_may_be_handed_over_by_the_characters_that_it_begins_with(
    call: str, all_is_written: bool, engine: str
) -> None:
    code = (
        "#include <assert.h>\nvoid get(char *to);\nstruct message { unsigned char kind; char name[3]; unsigned code; };"
        f"void step(void) {{ struct message m = {{0}}; {call}; assert(!m.code); }}"
    )
    verdicts, _ = checked(code, "--function", "step", "--engine", engine)
    assert verdicts == ["violated" if all_is_written else "holds"]


def test_what_code_writes_is_its_state_and_what_it_reads_a_setting() -> None:
    linear = ("--claim", "G([machine.count <= machine.limit])", "--claim", "G([machine.count <= 3])")
    verdicts, ran = checked(MACHINE, "--function", "step", *linear)
    assert verdicts == ["holds", "violated"]
    assert "but for `machine.count`, which starts at zero: no other beginning is looked at" in ran.err


def test_what_an_init_function_sets_up_starts_there() -> None:
    verdicts, _ = checked(MACHINE, "--function", "step", "--init", "reset", "--claim", "G([machine.count <= 3])")
    assert verdicts == ["holds"]


def test_runs_that_begin_apart_are_all_looked_at() -> None:
    code = "static int seen; void f(unsigned *p) { if (*p == 3) seen = 1; }"
    verdicts, _ = checked(
        code, "--claim", "G([seen == 0])", "--claim", "G([f.p != 3]) || F([seen == 1] || ![seen == 1])"
    )
    assert verdicts == ["violated", "holds"]
    verdicts, _ = checked(code, "--claim", "G([f.p == 4] => G([f.p == 4]))")
    assert verdicts == ["holds"]  # of most beginnings it says nothing


def test_more_than_can_be_spoken_of_is_not_known() -> None:
    code = "void get(char *b, int n); int f(void) { char b[400] = {0}; get(b, 400); return 1 / (b[%d] + 200); }"
    assert checked(code % 399, "--function", "f")[0] == ["inconclusive"]
    assert checked(code % 255, "--function", "f")[0] == ["holds"]


def test_enumerations_are_told_to_have_their_named_values() -> None:
    verdicts, ran = checked("enum e { A, B }; int f(enum e x) { return 1 / (x - 5); }", "--engine", "spacer")
    assert verdicts == ["holds"]
    assert "f.x: each call gives it any of its named values" in ran.err

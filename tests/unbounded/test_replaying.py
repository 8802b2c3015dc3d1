"""Runs with values that were found by formulas are written as evidence, and done by the compiled code from there."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from stateglass.cli.exits import Exit
from tests.cli.running import stateglass

# What is written through pointers is a record with an array in it, and a number that bounds do not write.
RECEIVER = """
#include <assert.h>
struct message { unsigned id; unsigned body[3]; };
void receive(struct message *m, float *weight);
static struct message m;
static float weight;
static unsigned matched;
int main(void) {
    for (;;) {
        receive(&m, &weight);
        if (m.id == 7 + matched && m.body[0] + 1 == m.body[1] && m.body[2] == 99 * m.id && weight > 3e20f) matched++;
        assert(matched < 3);
    }
}
"""
# No parameter is for what is written, and something else is passed before it.
FURTHER = """
#include <assert.h>
struct message { unsigned id; unsigned body[3]; };
void receive(int count, ...);
static struct message m;
static unsigned char last;
static unsigned matched;
int main(void) {
    for (;;) {
        receive(2, 0.5 * matched, &m, 7L, &last);
        if (m.id == 7 + matched && m.body[2] == 99 * m.id && last == 200) matched++;
        assert(matched < 3);
    }
}
"""
# Each call has three values of its own: together, as bounds, they would be many thousand ways to return.
CALLS = """
#include <assert.h>
#include <stdbool.h>
enum kind { FIRST = -4, SECOND = 1000 };
static unsigned seen;
void put(enum kind kind, unsigned code, bool last, short rest) {
    unsigned wanted = seen * 2654435761u;
    if (code == wanted && kind == (seen & 1 ? FIRST : SECOND) && rest == (short)(wanted >> 16) && last) seen++;
    assert(seen < 25);
}
"""


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no compiler")
@pytest.mark.parametrize(("code", "errors"), [(RECEIVER, 3), (FURTHER, 3), (CALLS, 25)])
def test_values_of_all_kinds_are_replayed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, errors: int
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("code.c").write_text(code, encoding="utf-8")
    ran = stateglass("check", "code.c", "--engine", "bmc", "-o", "evidence.json")
    assert ran.status is Exit.FINDINGS, ran.err
    (found,) = json.loads(Path("evidence.json").read_text(encoding="utf-8"))["verdicts"]
    evidence = found["evidence"]
    assert evidence["confirmed_by"] == ["reference", "replay"]
    assert evidence["steps"][-1]["action"] == "error(assertion)"
    chosen = [s for s in evidence["steps"] if s["action"].startswith(("return(receive", "call(put"))]
    assert len(chosen) == errors
    assert stateglass("replay", "evidence.json").status is Exit.OK
    # Another value at one step is none of this run.
    changed = json.dumps(found).replace(chosen[0]["action"], chosen[0]["action"].replace("0", "1"))
    assert changed != json.dumps(found)
    Path("changed.json").write_text(json.dumps({"verdicts": [json.loads(changed)]}), encoding="utf-8")
    assert stateglass("replay", "changed.json").status is Exit.FINDINGS

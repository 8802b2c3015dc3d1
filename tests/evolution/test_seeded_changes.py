"""Each mistake that may be made in a change is found, and told in one line that names the action and the condition."""

from __future__ import annotations

from pathlib import Path

import pytest

from stateglass.evidence import Became, Difference
from stateglass.operations.differing import differ
from stateglass.options import ExtractOptions
from tests.evolution.programs import IN_C, IN_CPP, LOCK_C, TANK_CPP, difference, edited, model_of

Edits = list[tuple[str, str]]

IN_LOCK: dict[str, tuple[Edits, str]] = {
    "a limit is lower": (
        [("tries == 3", "tries == 2")],
        "`call(unlock, 0)` now leads to state == BROKEN (was LOCKED) when tries == 1",
    ),
    "another result": (
        [("        tries = 0;\n        return true;", "        tries = 0;\n        return false;")],
        "`call(unlock, 1)` now returns false (was true) when state == LOCKED",
    ),
    "an assignment is lost": (
        [("        tries = 0;\n        return true;", "        return true;")],
        "`call(unlock, 1)` now leads to tries unchanged (was 0) when state == LOCKED && tries > 0",
    ),
    "a call is lost": (
        [("    beep(tries);\n", "    if (tries != 2)\n        beep(tries);\n")],
        "`call(unlock, 0)` no longer does `call(beep, 2)` when tries == 1",
    ),
    "another argument": (
        [("    beep(tries);\n", "    beep(tries == 3 ? 9 : tries);\n")],
        "`call(unlock, 0)` now does `call(beep, 9)` (was `call(beep, 3)`) when tries == 2",
    ),
    "a case falls through": (
        [
            (
                "        state = LOCKED;\n        break;\n    case LOCKED:\n        break;",
                "        state = LOCKED;\n    case LOCKED:\n        state = BROKEN;\n        break;",
            )
        ],
        "`call(lock)` now leads to state == BROKEN (was LOCKED) when tries <= 2",
    ),
    "a check is weaker": (
        [("    if (state != LOCKED)\n", "    if (state == BROKEN)\n")],
        "`call(unlock, 1)` now returns true (was false) when state == OPEN",
    ),
    "a condition is dropped": (
        [("    if (state != BROKEN)\n        tries = left;", "    tries = left;")],
        "`call(repair, false)` now leads to tries == 0 (was 3) when state == BROKEN",
    ),
    "another start": (
        [("state = LOCKED;\nstatic", "state = OPEN;\nstatic")],
        "it starts with state == OPEN (was LOCKED)",
    ),
    "a division by zero": (
        [("    int left = 0;", "    int left = 0 / (2 - tries);")],
        "`call(repair, *)` now ends with `error(division)` (was `return(repair)`) when tries == 2",
    ),
}
IN_TANK: dict[str, tuple[Edits, str]] = {
    "a limit is lower": (
        [("waited == 2", "waited == 1")],
        "`call(Tank.tick, *)` now leads to pump.on == false (was true) and mode == ALARM (was FILLING) and waited == 1 "
        "(was 2) and returns false (was true) when pump.on && waited == 1 && level <= 2",
    ),
    "an input is judged otherwise": (
        [("level >= 3", "level >= 2")],
        "`call(Tank.tick, 2)` now leads to mode == IDLE (was ALARM) when pump.on && waited == 2",
    ),
    "a part is not told to stop": (
        [("            pump.stop();\n            mode = ALARM;", "            mode = ALARM;")],
        "`call(Tank.tick, *)` now leads to pump.on == true (was false) and returns true (was false) when pump.on && "
        "waited == 2 && level <= 2",
    ),
    "a part is not told to start": (
        [("    waited = 0;\n    pump.start();", "    waited = 0;")],
        "`call(Tank.request)` now leads to pump.on == false (was true) when mode == IDLE",
    ),
    "a check is dropped": (
        [("    if (mode == ALARM)\n        mode = IDLE;", "    mode = IDLE;")],
        "`call(Tank.clear)` now leads to mode == IDLE (was FILLING) when pump.on",
    ),
    "a state is left by itself": (
        [("    case ALARM:\n        break;\n    }", "    case ALARM:\n        mode = IDLE;\n        break;\n    }")],
        "`call(Tank.tick, *)` now leads to mode == IDLE (was ALARM) when mode == ALARM",
    ),
    "a check is weaker": (
        [("    if (mode != IDLE)\n", "    if (mode == FILLING)\n")],
        "`call(Tank.request)` now leads to pump.on == true (was false) and mode == FILLING (was ALARM) and waited == 0 "
        "(was 2) when mode == ALARM",
    ),
    "an exception": (
        [("    if (mode != IDLE)\n", "    if (mode == ALARM)\n        throw 1;\n    if (mode != IDLE)\n")],
        "`call(Tank.request)` now ends with `throw(Tank.request, int)` (was `return(Tank.request)`) when mode == ALARM",
    ),
}


def _check(found: Difference, line: str) -> None:
    assert found.equivalent is False
    assert line in [change.text for change in found.changes]
    for change in found.changes:
        if change.action != "start":
            assert change.run
            assert change.run[-1].action


@pytest.mark.parametrize("what", IN_LOCK)
def test_c(what: str, tmp_path: Path) -> None:
    edits, line = IN_LOCK[what]
    _check(difference(tmp_path, {"lock.c": LOCK_C}, {"lock.c": edited(LOCK_C, edits)}, IN_C), line)


@pytest.mark.parametrize("what", IN_TANK)
def test_cplusplus(what: str, tmp_path: Path) -> None:
    edits, line = IN_TANK[what]
    _check(difference(tmp_path, {"tank.cpp": TANK_CPP}, {"tank.cpp": edited(TANK_CPP, edits)}, IN_CPP), line)


def test_a_new_function(tmp_path: Path) -> None:
    old = "static int x;\nvoid step(void) { x = !x; }\n"
    new = "static int x;\nvoid step(void) { x = !x; }\nvoid reset(void) { x = 0; }\n"
    without = ExtractOptions(functions=("step",))
    with_it = ExtractOptions(functions=("step", "reset"))
    models = [model_of(tmp_path / "old", {"x.c": old}, without), model_of(tmp_path / "new", {"x.c": new}, with_it)]
    found = differ(models[0], models[1])
    assert [(change.became, change.text) for change in found.changes] == [
        (Became.APPEARED, "`call(reset)` is now possible")
    ]
    assert found.labels == (("call(reset)", "return(reset)"), ())
    back = differ(models[1], models[0])
    assert [(change.became, change.text) for change in back.changes] == [
        (Became.VANISHED, "`call(reset)` is no longer possible")
    ]


def test_a_call_without_an_end(tmp_path: Path) -> None:
    edits = [("    int left = 0;\n", "    int left = 0;\n    while (tries == 2 && all)\n        ;\n")]
    versions = {"lock.c": LOCK_C}, {"lock.c": edited(LOCK_C, edits)}
    found = difference(tmp_path, *versions, IN_C)
    assert [change.text for change in found.changes] == [
        "`call(repair, true)` now never ends (was `return(repair)`) when tries == 2"
    ]
    assert found.changes[0].run[-1].action == "call(repair, true)"
    back = difference(tmp_path, *versions[::-1], IN_C)
    assert [change.text for change in back.changes] == [
        "`call(repair, true)` now ends with `return(repair)` (had no end) when tries == 2"
    ]


def test_an_error_is_one_change_whatever_the_values_were(tmp_path: Path) -> None:
    edits = [("    int left = 0;\n", "    int left = 1 / (tries - 1);\n")]
    found = difference(tmp_path, {"lock.c": LOCK_C}, {"lock.c": edited(LOCK_C, edits)}, IN_C)
    ends = [change.text for change in found.changes if "error" in change.text]
    assert ends == ["`call(repair, *)` now ends with `error(division)` (was `return(repair)`) when tries == 1"]


def test_something_is_asked_for_more_often(tmp_path: Path) -> None:
    text = "int get(void);\nstatic int x;\nvoid step(void)\n{\n    int v = get();\n    x = v;\n}\n"
    again = edited(text, [("    x = v;", "    if (v == 0)\n        v = get();\n    x = v;")])
    options = ExtractOptions(functions=("step",), bounds=(("get()", "0..1"),))
    found = difference(tmp_path, {"x.c": text}, {"x.c": again}, options)
    assert [change.text for change in found.changes] == ["`call(step)` now calls get() up to 2 times (was 1)"]
    back = difference(tmp_path, {"x.c": again}, {"x.c": text}, options)
    assert [change.text for change in back.changes] == ["`call(step)` now calls get() only 1 time (was 2)"]

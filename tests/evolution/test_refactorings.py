"""Code that does the same in another way is no change of behaviour."""

from __future__ import annotations

from pathlib import Path

import pytest

from stateglass.options import ExtractOptions
from tests.evolution.programs import IN_C, IN_CPP, LOCK_C, TANK_CPP, difference, edited

_HELPER_C = "static void count(void)\n{\n    tries++;\n    beep(tries);\n}\n\nbool unlock("
C_EDITS = {
    "a local is renamed": [("int left = 0;", "int rest = 0;"), ("tries = left;", "tries = rest;")],
    "a function is extracted": [("    tries++;\n    beep(tries);\n", "    count();\n"), ("bool unlock(", _HELPER_C)],
    "cases are reordered": [
        ("    case OPEN:\n        state = LOCKED;\n        break;\n", ""),
        (
            "    case BROKEN:\n        break;\n",
            "    case BROKEN:\n        break;\n    case OPEN:\n        state = LOCKED;\n",
        ),
    ],
    "statements are reordered": [
        ("        state = OPEN;\n        tries = 0;\n", "        tries = 0;\n        state = OPEN;\n")
    ],
    "an if becomes a switch": [
        (
            "    if (all)\n        state = LOCKED;\n",
            "    switch (all) {\n    case true: state = LOCKED;\n    default: break;\n    }\n",
        )
    ],
    "a condition is said otherwise": [("if (tries == 3)", "if (!(tries < 3))")],
    "a variable that keeps the state has another name": [("tries", "attempts")] * LOCK_C.count("tries"),
    "a local variable is put in between": [
        ("    tries++;\n    beep(tries);\n", "    int next = tries + 1;\n    tries = next;\n    beep(next);\n")
    ],
    "returns are gathered": [
        ("        return true;\n    }\n    tries++;", "    } else {\n    tries++;"),
        ("        state = BROKEN;\n    return false;", "        state = BROKEN;\n    }\n    return code == 1;"),
    ],
}
_FILL = """bool Tank::fill(int level)
{
    if (level < 3)
        return false;
    pump.stop();
    mode = IDLE;
    return true;
}

"""
CPP_EDITS = {
    "a parameter is used by another name": [
        ("    switch (mode) {\n", "    const int &height = level;\n    switch (mode) {\n"),
        ("if (level >= 3)", "if (height >= 3)"),
    ],
    "a member function is extracted": [
        ("    Pump pump;\n", "    bool fill(int level);\n    Pump pump;\n"),
        ("bool Tank::tick(", _FILL + "bool Tank::tick("),
        (
            "        if (level >= 3) {\n            pump.stop();\n            mode = IDLE;\n        } else if (waited",
            "        if (fill(level)) {\n        } else if (waited",
        ),
    ],
    "cases are reordered": [
        ("    case ALARM:\n        break;\n    }\n    return", "    }\n    return"),
        ("    case IDLE:\n", "    case ALARM:\n        break;\n    case IDLE:\n"),
    ],
    "an early return becomes an if": [
        ("    if (mode != IDLE)\n        return;\n", "    if (mode == IDLE) {\n"),
        ("    pump.start();\n}", "    pump.start();\n    }\n}"),
    ],
    "a part is written inline": [("pump.start();\n}", "Pump &p = pump;\n    p.start();\n}")],
}


@pytest.mark.parametrize("what", C_EDITS)
def test_c(what: str, tmp_path: Path) -> None:
    text = edited(LOCK_C, C_EDITS[what])
    found = difference(tmp_path, {"lock.c": LOCK_C}, {"lock.c": text}, IN_C)
    assert found.equivalent is True
    assert not found.changes


@pytest.mark.parametrize("what", CPP_EDITS)
def test_cplusplus(what: str, tmp_path: Path) -> None:
    text = edited(TANK_CPP, CPP_EDITS[what])
    found = difference(tmp_path, {"tank.cpp": TANK_CPP}, {"tank.cpp": text}, IN_CPP)
    assert found.equivalent is True
    assert not found.changes


def test_a_c_file_is_split(tmp_path: Path) -> None:
    head = "#include <stdbool.h>\nenum state { LOCKED, OPEN, BROKEN };\nextern enum state state;\nextern int tries;\n"
    position = LOCK_C.index("void repair")
    rest = LOCK_C[:position].replace("static enum state", "enum state").replace("static int tries", "int tries")
    new = {"lock.c": rest, "repair.c": '#include "lock.h"\n' + LOCK_C[position:], "lock.h": head}
    found = difference(tmp_path, {"lock.c": LOCK_C}, new, IN_C)
    assert found.equivalent is True
    assert {"state", "tries"} <= set(found.compared)


def test_a_cplusplus_file_is_split(tmp_path: Path) -> None:
    position = TANK_CPP.index("void Tank::clear")
    classes = TANK_CPP[: TANK_CPP.index("bool Tank::tick")]
    new = {
        "tank.h": "#pragma once\n" + classes,
        "tank.cpp": '#include "tank.h"\n' + TANK_CPP[len(classes) : position],
        "clear.cpp": '#include "tank.h"\n' + TANK_CPP[position:],
    }
    found = difference(tmp_path, {"tank.cpp": TANK_CPP}, new, IN_CPP)
    assert found.equivalent is True
    assert "mode" in found.compared


def test_what_is_changed_in_a_call_counts_only_at_its_end(tmp_path: Path) -> None:
    """The same calls of others in the same order, but the variable has its value earlier."""
    old = "void beep(void);\nint x;\nvoid step(void) { beep(); x = !x; }\n"
    new = "void beep(void);\nint x;\nvoid step(void) { x = !x; beep(); }\n"
    options = ExtractOptions(functions=("step",))
    assert difference(tmp_path, {"s.c": old}, {"s.c": new}, options).equivalent is True


def test_silence_for_ever_is_no_refactoring(tmp_path: Path) -> None:
    old = "int x;\nvoid step(void) { x = !x; }\n"
    new = "int x;\nvoid step(void) { while (x) ; x = !x; }\n"
    options = ExtractOptions(functions=("step",))
    assert difference(tmp_path, {"s.c": old}, {"s.c": new}, options).equivalent is False

"""What `--ub` and `--errors` mean together: one value, and the same runs for every command."""

from __future__ import annotations

from itertools import chain, combinations
from pathlib import Path

import pytest

from stateglass.cli.exits import Exit
from stateglass.program.faults import DELIBERATE, FaultKind
from stateglass.source import InputError, Topic
from stateglass.system import Undefined, UndefinedBehaviour, undefined
from tests.cli.running import stateglass

ASKED = [(), *((k.value,) for k in FaultKind), *combinations(("overflow", "bounds", "alignment", "assertion"), 2)]


@pytest.mark.parametrize("behaviour", UndefinedBehaviour)
def test_every_kind_of_error_has_one_fate(behaviour: UndefinedBehaviour) -> None:
    for asked in ASKED:
        found = undefined(behaviour, asked)
        fates = (found.wraps, found.tolerated, found.left_out, found.reported)
        assert sorted(k.value for k in chain(*fates)) == sorted(k.value for k in FaultKind)
        assert not asked or {k.value for k in found.reported} <= set(asked)
        assert behaviour is not UndefinedBehaviour.IGNORE or found.reported <= DELIBERATE
        # What is not in the model is told.
        assert bool(found.left_out) == any(n.kind in (Topic.ERRORS, Topic.LEFT_OUT) for n in found.notes)


def test_by_default_everything_is_an_error() -> None:
    assert undefined(UndefinedBehaviour.ERROR) == Undefined()
    assert Undefined().reported == frozenset(FaultKind)


def test_a_kind_that_does_not_exist() -> None:
    with pytest.raises(InputError, match="no kind of error `bound`"):
        undefined(UndefinedBehaviour.ERROR, ("bounds", "bound"))


CODE = """_Alignas(4) static char bytes[16];
int state;
void step(signed char n) {
    state = 0;
    if (n == 1) state = 2147483647 + n == -2147483648;
    if (n == 2) state = 1 << (n + 30) == 1;
    if (n == 3) { *(int *)(bytes + n) = 1; state = 1; }
    if (n == 4) { __builtin_memcpy(bytes, bytes + 1, n); state = 1; }
    if (n == 5) state = 1 / (n - 5);
    if (n == 6) __builtin_abort();
}
"""
MACHINE = """machine M of step in "code.c"
  assume n >= {n} && n <= {n} && state >= 0 && state <= 1
  initial state Zero: state == 0
  state One: state == 1
"""


@pytest.mark.parametrize("ub", ["error", "wrap", "ignore"])
@pytest.mark.parametrize("errors", ["", "division", "alignment"])
def test_commands_agree_on_how_a_call_ends(ub: str, errors: str, tmp_path: Path) -> None:
    """Every kind of error once: what `extract` finds from the initial state is what `reflect` finds.

    Where every call is left out there is no model to go on with, as `extract` says by how it ends; `reflect` warns.
    """
    (tmp_path / "code.c").write_text(CODE)
    how = ("--ub", ub, *(("--errors", errors) if errors else ()))
    for n in range(1, 7):
        bound = ("--bound", f"step.n={n}", "--function", "step")
        model = stateglass("extract", str(tmp_path / "code.c"), *bound, *how, "-o", str(tmp_path / "m.aut"))
        (tmp_path / "m.machine").write_text(MACHINE.format(n=n))
        reflected = stateglass("reflect", str(tmp_path / "m.machine"), *how)
        seen = " ".join(reflected.out.split())
        text = (tmp_path / "m.aut").read_text()
        assert model.status is (Exit.OK if "call(" in text else Exit.INCONCLUSIVE), model.err
        if "error(" in text:
            assert "Zero -> error" in seen, n
        elif "return" in text:
            assert "Zero -> One" in seen, n
        else:
            assert "->" not in seen, n
            assert "no run counts" in model.err, n
            assert "no call counts" in reflected.err, n

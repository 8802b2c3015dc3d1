"""Programs of `examples/` with known verdicts: compiled code breaks those that are wrong, and engines decide them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.generator.gcc import gcc_available
from tests.unbounded.families import BREAKING, Known, outcome, programs
from tests.unbounded.flows import system_in
from tests.unbounded.verdicts import ENGINES, decided

SECONDS = 300.0
"""Far more than is needed: a verdict must not depend on how busy the machine is."""
SLOW = frozenset({"client_3", "client_5", "server_3", "server_4"})
"""Those that take longer than a test should; `make bench` decides them."""
PROGRAMS = programs()
WRONG = tuple(known for known in PROGRAMS if not known.holds)


def test_sixteen_handshakes_and_a_dozen_drivers() -> None:
    assert sum(known.path.parent.name == "handshake" for known in PROGRAMS) == 16
    assert sum(known.path.parent.name == "drivers" for known in PROGRAMS) >= 12
    assert {known.name for known in WRONG} == set(BREAKING)


@pytest.mark.skipif(not gcc_available(), reason="gcc is not installed")
@pytest.mark.parametrize("known", WRONG, ids=str)
def test_a_wrong_program_is_broken_by_its_inputs(known: Known, tmp_path: Path) -> None:
    values = BREAKING[known.name]
    said = outcome(known, values, tmp_path)
    assert "Assertion" in said or "runtime error" in said
    # It takes several rounds: with a part of the inputs nothing happens.
    assert outcome(known, values[: len(values) // 2], tmp_path) == ""


@pytest.mark.parametrize("known", [known for known in PROGRAMS if known.name not in SLOW], ids=str)
def test_an_engine_decides_it(known: Known) -> None:
    """Invariants are found over integers, errors by unrolling."""
    found = decided(system_in(known.path, "main"), ENGINES["integers" if known.holds else "bmc"], SECONDS)
    assert (found.holds, found.refused) == (known.holds, "")

"""Stories of code say the same with and without its silent steps, or say that they do not; `make fuzz` tries more."""

from __future__ import annotations

import pytest

from tests.scenarios.on_code import code


@pytest.mark.parametrize("seed", range(8))
def test_silent_steps_make_no_difference_that_is_not_told(seed: int) -> None:
    assert code(seed)[1] is None

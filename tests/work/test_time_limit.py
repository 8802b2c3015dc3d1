"""A time limit counts from when it was set."""

from __future__ import annotations

from stateglass.work import time_limit


def test_time_is_over_when_more_than_the_seconds_have_passed() -> None:
    times = iter([100.0, 100.0, 105.0, 105.5, 107.0])
    is_over = time_limit(5.0, lambda: next(times))
    assert [is_over() for _ in range(4)] == [False, False, True, True]

"""Sets can be computed with number by number, or not: both ways must be sound."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from stateglass.values.abstract import domain, narrowing, views


@pytest.fixture(params=["by number", "by set"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """At the few bits that can be tried exhaustively, most sets are small enough to be listed; `by set` forbids it."""
    if request.param == "by set":
        for module in (domain, narrowing, views):
            monkeypatch.setattr(module, "FEW", 0)
    views._ranges_of_set.cache_clear()
    yield request.param
    views._ranges_of_set.cache_clear()

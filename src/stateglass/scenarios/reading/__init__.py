"""From texts to scenarios: everything that is wrong is said at once, with its place."""

from stateglass.scenarios.reading.story import read_scenario, read_story

__all__ = ["read_scenario", "read_story"]

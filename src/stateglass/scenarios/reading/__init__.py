"""From texts to scenarios: everything that is wrong is said at once, with its place."""

from stateglass.scenarios.reading.story import GIVEN, read_scenario, read_story

__all__ = ["GIVEN", "read_scenario", "read_story"]

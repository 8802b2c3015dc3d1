"""Scenarios: reading, meaning, verdicts, witnesses and elaboration."""

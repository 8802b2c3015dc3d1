"""Proposes stronger stories: what else causes an effect, under which condition, by way of which event."""

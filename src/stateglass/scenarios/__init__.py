"""Validates causal stories, finds steered witnesses, proposes stronger stories."""

"""Answers claims on models and on code; evidence is followed again, by the semantics and by the compiled code."""

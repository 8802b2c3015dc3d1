"""Stateglass: behaviour models of C and C++ code that can be trusted, asked and kept up to date."""

__version__ = "0.1.0"

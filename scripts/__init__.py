"""Tools for those who work on Stateglass; nothing of this is installed."""

"""How fast Stateglass is: a command, not a test. `make bench` prints the figures."""

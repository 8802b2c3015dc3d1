"""A component's statecharts against the code that implements them: what its names mean there, and what follows."""

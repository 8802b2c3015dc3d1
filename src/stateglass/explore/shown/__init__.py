"""What states and steps show: the texts of actions and values, and the propositions of a model."""

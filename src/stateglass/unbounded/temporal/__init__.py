"""Linear claims over states and events on code with unbounded data: on abstractions that refine themselves."""

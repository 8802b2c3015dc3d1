"""From models to models and answers, one module for each: reduce, compare, compose, transform, hold against a log."""

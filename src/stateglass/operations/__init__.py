"""From code and models to models and answers, one module for each: examine, reduce, compare, compose, monitor."""

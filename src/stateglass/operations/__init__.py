"""From models, code and beliefs to models and answers, one module for each: reduce, compare, compose, reflect, monitor."""

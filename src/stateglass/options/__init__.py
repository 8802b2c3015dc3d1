"""What a command is asked to do: the project file, the environment and the command line as one set of settings.

`reading` and `validation` turn `stateglass.toml` into a `Project`, with the place of each key (`positions`); `values`
has the rule of each setting. `merge` puts the layers one over the other.
"""

from stateglass.options.merge import ExtractOptions, merge, origins
from stateglass.options.project import (
    PROJECT_FILE,
    HypothesisOptions,
    LimitOptions,
    Project,
    SourceOptions,
    SystemOptions,
    find_project,
)
from stateglass.options.reading import read_project
from stateglass.options.writer import object_lines, write_project

__all__ = [
    "PROJECT_FILE",
    "ExtractOptions",
    "HypothesisOptions",
    "LimitOptions",
    "Project",
    "SourceOptions",
    "SystemOptions",
    "find_project",
    "merge",
    "object_lines",
    "origins",
    "read_project",
    "write_project",
]

"""What options say about how C files are read and run."""

from __future__ import annotations

from collections.abc import Sequence

from stateglass.frontend import MissingHeaders, Reading, read_program
from stateglass.options import ExtractOptions
from stateglass.program.probes import Probe
from stateglass.source import Code, input_error
from stateglass.system import Undefined, UndefinedBehaviour, undefined


def read(options: ExtractOptions, probes: Sequence[Probe] = ()) -> Reading:
    """The files of an extraction as one program, with expressions from outside as functions of it."""
    if not options.files:
        raise input_error(
            Code.USAGE, "no C file is given", help="name one, or list it under [source] in stateglass.toml"
        )
    return read_program(
        options.files,
        options.flags,
        options.target,
        volatile_is_input=options.volatile == "input",
        build_folder=options.compile_commands,
        missing_headers=MissingHeaders(options.missing_headers),
        probes=probes,
    )


def undefined_of(options: ExtractOptions) -> Undefined:
    return undefined(UndefinedBehaviour(options.ub), options.errors)

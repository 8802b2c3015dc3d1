"""What commands say of code before there is a model of it."""

from __future__ import annotations

from typing import Annotated, TypedDict

from stateglass.reports.shared import ErrorReport


class TargetReport(TypedDict):
    """The machine that the code is compiled for."""

    triple: str
    pointer_size: Annotated[int, "in bytes"]
    int_bits: int
    big_endian: bool


class MissingHeaderReport(TypedDict):
    """A header that was not found."""

    name: str
    file: str | None
    line: int | None


class FileReadReport(TypedDict):
    """What was understood of a file."""

    name: str
    readable: bool
    functions: Annotated[int, "number of functions with a body"]
    supported: Annotated[int, "number of those that are understood in full"]
    in_part: Annotated[list[str], "names of the others"]
    flags: Annotated[list[str], "what clang is given"]
    flags_from: Annotated[str | None, "the file they come from; null: defaults"]
    target_from: Annotated[str | None, "the compiler whose name tells the target"]
    dropped_flags: Annotated[list[str], "flags that are not passed on"]
    missing_headers: list[MissingHeaderReport]


class UnsupportedReport(TypedDict):
    """A place that is not understood."""

    function: str
    reason: str
    file: str
    line: int
    column: int


class DoctorReport(TypedDict):
    """What was found: compiler, headers, flags, files."""

    stateglass: Annotated[str, "version"]
    python: Annotated[str, "version"]
    packages: Annotated[dict[str, str], "versions"]
    clang: Annotated[str, "version"]
    compiler: Annotated[str | None, "the compiler that was asked for its header folders"]
    include_folders: list[str]
    target: TargetReport
    flags: Annotated[list[str], "what clang is given for the first file, or for any if there is none"]
    dropped_flags: Annotated[list[str], "flags of any file that are not passed on"]
    leniencies: Annotated[list[str], "flags with which clang takes what gcc takes"]
    files: list[FileReadReport]
    unsupported: list[UnsupportedReport]
    without_body: Annotated[list[str], "functions that no file defines"]
    undefined_variables: Annotated[list[str], "variables that no file defines"]
    library_functions: Annotated[list[str], "what the files use of the C library"]
    errors: Annotated[list[ErrorReport], "what makes an extraction impossible"]
    can_go_on: Annotated[bool, "whether a model can be made"]
    conclusion: Annotated[str, "a sentence about it"]


class UseReport(TypedDict):
    """A place where a variable decides."""

    file: str
    line: int
    column: int
    function: str
    condition: Annotated[str, "the decision, as C"]
    direct: Annotated[bool, "false: through other variables"]


class CandidateReport(TypedDict):
    """A variable that may hold state."""

    name: str
    function: Annotated[str, "the function in which it decides"]
    type: str
    written: Annotated[bool, "false: the function only reads it"]
    through: Annotated[str | None, "the pointer it is reached by"]
    effect_size: Annotated[int, "number of nodes that depend on it"]
    uses: list[UseReport]
    invariants: Annotated[list[str], "the value ranges that the code distinguishes, as C"]


class ScanReport(TypedDict):
    """State-variable candidates, those with most effect first."""

    functions: list[str]
    candidates: list[CandidateReport]
    partial: Annotated[bool, "whether there may be more"]
    partial_reasons: list[str]


class ProposedReport(TypedDict):
    """What an abstraction map does with a variable."""

    file: str
    function: Annotated[str | None, "the function it is local to"]
    name: str
    abstraction: str
    reason: str


class AbstractionReport(TypedDict):
    """A proposed abstraction map."""

    functions: list[str]
    map: Annotated[str, "the text of the map"]
    variables: list[ProposedReport]


class InitReport(TypedDict):
    """A new project file."""

    output: str
    system: Annotated[str, "the name of the system in it"]
    functions: list[str]


class SettingReport(TypedDict):
    """A setting."""

    name: str
    value: Annotated[object, "a text, number, truth value, list or null"]
    origin: Annotated[str, "what says so: the command line, an environment variable, a file, the default"]


class ConfigReport(TypedDict):
    """The settings in force."""

    settings: list[SettingReport]

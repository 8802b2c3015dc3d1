"""Reads files: each by itself, then what is asked about them, then all as one program."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import final

from stateglass.frontend.building.compiler import find_compiler, system_include_folders
from stateglass.frontend.building.files import STANDARD_INPUT, refuse_unreadable, standard_input
from stateglass.frontend.building.flags import FileFlags, flags_of
from stateglass.frontend.building.machines import about_machine, one_target
from stateglass.frontend.clang import libclang
from stateglass.frontend.clang.instantiating import Shape
from stateglass.frontend.clang.parsing import MissingHeader, parse_file
from stateglass.frontend.clang.units import Unit
from stateglass.frontend.linking.library import add_library
from stateglass.frontend.linking.linking import Linker
from stateglass.frontend.linking.symbol_table import Asked
from stateglass.frontend.probes.made import add_made
from stateglass.frontend.probes.probes import Probed, add_probes
from stateglass.frontend.probes.purity import problems_of_probes
from stateglass.program import Program
from stateglass.program.made import Made
from stateglass.program.probes import Probe
from stateglass.program.validator import check_program
from stateglass.source import Assumption, Diagnostic, InputError, MissingHeaders, Severity, Topic


@final
@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the front end found on this machine and what it made of the flags."""

    clang: str
    compiler: str | None
    include_folders: tuple[str, ...]
    files: tuple[FileFlags, ...]  # without files: one for any file


@final
@dataclass(frozen=True, slots=True)
class Reading:
    """What came of reading: the program, warnings, and the surroundings in which it was read."""

    program: Program
    warnings: tuple[Diagnostic, ...]
    surroundings: Surroundings
    missing_headers: tuple[MissingHeader, ...] = ()  # they are taken to be empty
    errors: tuple[Diagnostic, ...] = ()  # why files are left out; empty unless that was asked for
    left_out: tuple[str, ...] = ()
    assembly: tuple[str, ...] = ()  # instructions that are passed over
    refused: Mapping[str, str] = field(default_factory=dict)  # pieces of text of ours, and why clang refuses them
    absent: tuple[str, ...] = ()  # weak functions and variables that are used and defined nowhere
    machine: tuple[Assumption, ...] = ()  # where gcc for the machine may do otherwise
    source: _Source | None = field(default=None, compare=False, repr=False)

    def with_made(self, made: Made) -> Reading:
        """The same files, read with text of ours behind the end of one of them."""
        assert self.source is not None, "questions have been asked, or files are left out"
        return self.source.with_made(made)

    @property
    def assumptions(self) -> tuple[Assumption, ...]:
        """What every model of this program takes for granted."""
        names = dict.fromkeys(h.name for h in self.missing_headers)
        missing = [Assumption(Topic.HEADER, name, "it was not found: it is taken to be empty") for name in names]
        absent = [
            Assumption(Topic.WEAK, name, "it is weak and no file defines it: its address is null")
            for name in self.absent
        ]
        assembly = [Assumption(Topic.ASSEMBLY, text, "these instructions change no variable") for text in self.assembly]
        return (*missing, *absent, *assembly, *self.machine)


@final
class _Files:
    """The files of one program, each as clang reads it."""

    def __init__(self, uses: Sequence[FileFlags], texts: Mapping[str, str], missing_headers: MissingHeaders) -> None:
        """`texts` are those of files that are not read from disk."""
        self._uses: list[FileFlags] = []
        self._before: list[frozenset[Shape]] = []  # the classes that files before this one have
        self._classes: frozenset[Shape] = frozenset()
        self._texts = texts
        self._missing_headers = missing_headers
        self.units: list[Unit] = []
        self.said: list[Diagnostic] = []
        self.missing: list[MissingHeader] = []
        self.errors: list[Diagnostic] = []
        self.left_out: list[str] = []
        for use in uses:
            self._parse(use)

    def _parse(self, use: FileFlags) -> None:
        classes = set(self._classes)
        parsed = parse_file(use, self._missing_headers, self._texts.get(use.file), classes)
        self.missing += parsed.missing
        if any(d.severity is Severity.ERROR for d in parsed.problems):
            self.errors += [d for d in parsed.problems if d.severity is not Severity.WARNING]
            self.left_out.append(use.file)
        else:
            self.said += parsed.problems
            self.units.append(parsed.unit)
            self._uses.append(use)
            self._before.append(self._classes)
            self._classes = frozenset(classes)

    def probed(self, probes: Sequence[Probe]) -> Probed:
        """The units with probes. All but the probes was found in order before, and is not said again."""
        return add_probes(self.units, self._contents(), probes, self._reread)

    def made(self, made: Made) -> tuple[int, Unit, dict[str, str]]:
        """The unit that has text of ours, counted from 0; what is refused of the text, and why."""
        return add_made(self.units, self._contents(), made, self._reread)

    def _reread(self, number: int, text: bytes) -> tuple[Unit, list[Diagnostic]]:
        parsed = parse_file(self._uses[number], self._missing_headers, text, set(self._before[number]))
        return parsed.unit, parsed.problems

    def _contents(self) -> list[bytes]:
        texts = self._texts
        return [texts[u.file].encode() if u.file in texts else Path(u.file).read_bytes() for u in self._uses]


@final
@dataclass(frozen=True, slots=True)
class _Source:
    """Files that are read, and what was made of them before they became a program."""

    files: _Files
    chosen: list[FileFlags]
    about_flags: Sequence[Diagnostic]
    linker: Linker

    def with_made(self, made: Made) -> Reading:
        number, unit, refused = self.files.made(made)
        linker = self.linker.copied()
        linker.add_behind(unit, number + 1)
        return replace(self.reading(linker), refused=refused)

    def reading(self, linker: Linker) -> Reading:
        """The program that a linker, which may be another one, has of the files."""
        _complete(linker, self.chosen[0].flags)
        files = self.files
        return Reading(
            program=linker.program(),
            warnings=(*files.said, *self.about_flags, *linker.warnings),
            surroundings=_surroundings(self.chosen),
            missing_headers=tuple(files.missing),
            errors=tuple(files.errors),
            left_out=tuple(files.left_out),
            assembly=tuple(linker.symbols.assembly),
            absent=linker.symbols.absent,
            machine=about_machine(linker.symbols.target, linker.floats, self.chosen[0].flags),
        )


def read_program(
    files: tuple[str, ...],
    flags: tuple[str, ...] = (),
    target: str | None = None,
    volatile_is_input: bool = True,
    *,
    build_folder: str | None = None,
    missing_headers: MissingHeaders = MissingHeaders.ERROR,
    leave_out_bad: bool = False,
    probes: Sequence[Probe] = (),
    throwing: Collection[str] = (),
    written: Mapping[str, str] = MappingProxyType({}),
) -> Reading:
    """Turn C files into one linked program. Everything wrong with them is one `InputError`.

    `written` are the texts of files that are on no disk.

    Each probe becomes a function of the program that goes by its name. Functions called like those in `throwing`,
    without what is around them, may throw whatever their bodies say: something else will stand for them.

    With `leave_out_bad` files that clang finds wrong are not part of the program, and `Reading.errors` says why.
    """
    texts = {**standard_input(files), **written}
    files = tuple(STANDARD_INPUT if f == "-" else f for f in files)
    refuse_unreadable(tuple(f for f in files if f not in texts))
    chosen, about_flags = flags_of(files, flags, target, build_folder)
    machine = one_target(chosen)
    read = _Files(chosen if files else (), texts, missing_headers)
    if read.errors and not leave_out_bad:
        raise InputError(read.errors)
    units = read.units
    asked: tuple[Asked, ...] = ()
    wrong: tuple[Diagnostic, ...] = ()
    if probes:
        probes, probed, wrong = _probed(read, probes)
        units, asked = probed.units, probed.asked
        read.said += probed.warnings
    try:
        linker = Linker(machine, volatile_is_input, throwing)
        linker.add(units, asked)
        source = _Source(read, chosen, about_flags, linker)
        reading = source.reading(linker.copied())
    except InputError as error:
        if not leave_out_bad:
            raise InputError([*wrong, *error.diagnostics]) from None
        read.errors += error.diagnostics
        read.left_out = list(files)
        nothing = Linker(machine, volatile_is_input)
        return _Source(read, chosen, about_flags, nothing).reading(nothing)
    program = reading.program
    wrong = (*wrong, *problems_of_probes(program, [p for p in probes if p.name in program.functions]))
    if wrong:
        raise InputError(sorted(dict.fromkeys(wrong), key=lambda d: d.span))
    return reading if probes else replace(reading, source=source)


def _probed(read: _Files, probes: Sequence[Probe]) -> tuple[Sequence[Probe], Probed, tuple[Diagnostic, ...]]:
    """The probes that can be asked, the units with them, and what is wrong with the others."""
    probed = read.probed(probes)
    wrong = probed.problems
    if not wrong:
        return probes, probed, ()
    # The others may have mistakes that show only further on.
    rest = [p for p in probes if p.name not in probed.bad] if probed.bad else []
    if not rest:
        raise InputError(wrong)
    again = read.probed(rest)
    if again.problems:
        raise InputError(wrong)
    return rest, again, wrong


def _complete(linker: Linker, flags: tuple[str, ...]) -> None:
    """Adds what all files together need."""
    linker.complete()
    add_library(linker, flags)
    check_program(linker.program())


def _surroundings(chosen: list[FileFlags]) -> Surroundings:
    targets = dict.fromkeys(c.target for c in chosen)
    compiler = next((c for target in targets if (c := find_compiler(target)) is not None), None)
    folders = dict.fromkeys(folder for target in targets for folder in system_include_folders(target))
    if compiler is None:
        compiler = find_compiler()
    return Surroundings(libclang.version(), compiler, tuple(folders), tuple(chosen))

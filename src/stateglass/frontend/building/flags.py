"""Which flags clang gets for a file: those of the project's own build, cleaned, and the user's, behind our defaults."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, final

from stateglass.frontend.building.commands import Cleaned, clean
from stateglass.frontend.building.compiler import system_include_folders, target_by_name
from stateglass.frontend.building.databases import Databases
from stateglass.frontend.clang import libclang
from stateglass.frontend.linking.library import CPLUSPLUS_FOLDER, INCLUDE_FOLDER
from stateglass.source import Code, Diagnostic, InputError, Severity, input_error, is_cplusplus

# gcc accepts what these stand for, and so must we; `doctor` lists them.
LENIENCIES: Final = tuple(
    f"-Wno-{name}"
    for name in (
        "implicit-function-declaration",
        "implicit-int",
        "int-conversion",
        "incompatible-pointer-types",
        "return-mismatch",
        "deprecated-non-prototype",
        "incompatible-function-pointer-types",
    )
)
DEFAULT_STANDARD: Final = "-std=gnu17"
DEFAULT_CPLUSPLUS: Final = "-std=gnu++20"
_OLD_CPLUSPLUS: Final = re.compile(r"(--?std=(?:gnu|c)\+\+)(?:98|03|0x|11|1y|14)$")
_SAME_STANDARDS: Final = ("-std=", "--std=", "-ansi")
_ABOUT_THE_TEXT: Final = ("-D", "-U", "-I", "-iquote", "-isystem", "-include", "-imacros", "-idirafter")
_BARE_ARM: Final = re.compile(r"(arm|thumb)[^-]*-(none-|unknown-)*(eabi|eabihf)$")
_UNKNOWN_FLAG: Final = re.compile(r"unknown argument:? '([^']+)'")
_USUAL: Final = ("-isystem", "-Wno-", "-nostdinc++")
# What says how code is made for a machine; a mistake in anything else is the user's to mend.
_FOR_THE_MACHINE: Final = ("-m", "-f")


@final
@dataclass(frozen=True, slots=True)
class FileFlags:
    """The flags of a file and where they come from."""

    file: str  # empty: any file that nothing is known about
    flags: tuple[str, ...]
    origin: str | None = None  # the database that has them; None: there is none, so these are the defaults
    target: str | None = None  # the machine; None: this one
    compiler: str | None = None  # the one that told the target
    dropped: tuple[str, ...] = ()

    @property
    def shown(self) -> tuple[str, ...]:
        """The flags that tell something: not our header folders and what every file gets."""
        cplusplus = is_cplusplus(self.file)
        usual = [f for f in compiler_flags((), self.target, cplusplus) if f.startswith(_USUAL)]
        return tuple(f for f in self.flags if f not in usual)

    def for_this_machine(self) -> tuple[str, ...]:
        """The flags for the user's own compiler, which knows what clang does not; code for another is refused."""
        if self.target is not None:
            help = "leave out --target, if the code can be compiled for this one"
            message = f"`{self.file}` is for {self.target}, and its code cannot be run on this machine"
            raise input_error(Code.UNSUPPORTED, message, help=help)
        kept = [flag for flag in self.shown if not flag.startswith("-W")]
        return (*kept, *(flag for flag in self.dropped if flag.startswith(_FOR_THE_MACHINE)))


def flags_of(
    files: tuple[str, ...], flags: tuple[str, ...], target: str | None, build_folder: str | None
) -> tuple[list[FileFlags], list[Diagnostic]]:
    """The flags of each file, and what is worth saying about them. Without files, those of any file."""
    databases = Databases(build_folder)
    found: list[FileFlags] = []
    notes: list[Diagnostic] = []
    problems: list[Diagnostic] = []
    for file in files or ("",):
        try:
            command = databases.command(file) if file else None
            cleaned = clean(command) if command is not None else Cleaned(())
            chosen = replace(_choose(cleaned, flags, target, notes, is_cplusplus(file)), file=file)
        except InputError as error:
            problems += error.diagnostics
            continue
        found.append(replace(chosen, origin=command.origin if command is not None else None))
        for name in cleaned.not_followed:
            message = f"`{name}` in the command for `{file}` is not followed: it holds flags"
            notes.append(Diagnostic(Code.FLAG, message, severity=Severity.WARNING, help="give them with --flag"))
        for flag in cleaned.refused:
            message = f"`{flag}` is not passed on to clang"
            notes.append(Diagnostic(Code.FLAG, message, severity=Severity.WARNING))
    if problems:
        raise InputError(dict.fromkeys(problems))
    return found, list(dict.fromkeys([*databases.notes, *notes]))


def _choose(
    cleaned: Cleaned, flags: tuple[str, ...], target: str | None, notes: list[Diagnostic], cplusplus: bool
) -> FileFlags:
    rest, named = _without_target((*cleaned.flags, *flags))
    compiler = None
    if target is None and named is None and cleaned.compiler is not None:
        named = target_by_name(cleaned.compiler)
        compiler = cleaned.compiler if named is not None else None
        if named is not None and not _is_known((f"--target={named}",)):
            message = f"clang does not know the machine of `{compiler}`: the code is read for this one"
            help = "--target names another one that is like it"
            notes.append(Diagnostic(Code.FLAG, message, severity=Severity.WARNING, help=help))
            named = compiler = None
    target = target or named
    used, dropped = known_flags(compiler_flags(rest, target, cplusplus))
    for flag in dropped:
        message = f"clang does not know `{flag}`: dropped"
        help = "it may be one of another machine: name that with --target, such as avr or arm-none-eabi"
        unnamed = target is None and flag.startswith("-m")
        notes.append(Diagnostic(Code.FLAG, message, severity=Severity.WARNING, help=help if unnamed else ""))
    return FileFlags("", used, None, target, compiler, (*dropped, *cleaned.refused, *cleaned.not_followed))


def _without_target(flags: tuple[str, ...]) -> tuple[tuple[str, ...], str | None]:
    """The flags without those that name the machine, and the last one that they name."""
    rest: list[str] = []
    target = None
    words = iter(flags)
    for flag in words:
        if flag.startswith("--target="):
            target = flag.removeprefix("--target=")
        elif flag in ("-target", "--target"):
            target = next(words, target)
        else:
            rest.append(flag)
    return tuple(rest), target or None


def compiler_flags(flags: tuple[str, ...], target: str | None, cplusplus: bool = False) -> tuple[str, ...]:
    """The flags clang is given: the user's behind our defaults."""
    default = DEFAULT_CPLUSPLUS if cplusplus else DEFAULT_STANDARD
    chosen = [] if any(f.startswith(_SAME_STANDARDS) for f in flags) else [default]
    if cplusplus:
        # Compilers leave out copies of returned objects by any standard; clang shows it by this one only.
        flags = tuple(_OLD_CPLUSPLUS.sub(r"\g<1>17", flag) for flag in flags)
        chosen += ["-nostdinc++", f"-isystem{CPLUSPLUS_FOLDER}"]
    chosen.append(f"-isystem{INCLUDE_FOLDER}")
    if target is not None:
        # For some targets clang looks at this machine's headers, which are for another one, and for some not even at
        # those that it brings along.
        chosen += [f"--target={target}", f"-isystem{libclang.builtin_headers()}"]
        if not any(f.startswith(("--sysroot", "-isysroot")) for f in flags):
            chosen.append("-nostdlibinc")
        if _BARE_ARM.match(target):
            chosen.append("-fshort-enums")  # as gcc has it there
    if "-nostdinc" in flags:
        chosen.append(f"-isystem{libclang.builtin_headers()}")
    else:
        chosen += [f"-isystem{folder}" for folder in system_include_folders(target)]
    return (*chosen, "-Wno-everything", *LENIENCIES, *flags)


def known_flags(flags: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The flags without those that clang does not know, and those; gcc has more than clang."""
    dropped = _unknown(_about_clang(flags))
    return tuple(f for f in flags if f not in dropped), tuple(dict.fromkeys(f for f in flags if f in dropped))


def _about_clang(flags: tuple[str, ...]) -> tuple[str, ...]:
    """The flags without those that every compiler has and whose values are a program's own."""
    kept: list[str] = []
    words = iter(flags)
    for flag in words:
        if flag in _ABOUT_THE_TEXT:
            next(words, None)
        elif not flag.startswith(_ABOUT_THE_TEXT):
            kept.append(flag)
    return tuple(kept)


@lru_cache(maxsize=64)
def _unknown(flags: tuple[str, ...]) -> frozenset[str]:
    try:
        complaints = _complaints(flags)
    except InputError:  # clang does not even begin, and does not say why
        complaints = []
    else:
        if not any(c.severity is Severity.ERROR for c in complaints):
            return frozenset()
    dropped = {m.group(1) for p in complaints if (m := _UNKNOWN_FLAG.search(p.message)) is not None}
    rest = tuple(f for f in flags if f not in dropped)
    if not _is_known(rest):
        # The messages do not always name the flag as it is written, so each is tried.
        alone = tuple(f for f in rest if not f.startswith(_FOR_THE_MACHINE))
        dropped |= {f for f in rest if f.startswith(_FOR_THE_MACHINE) and not _is_known((*alone, f))}
    return frozenset(dropped)


def _is_known(flags: tuple[str, ...]) -> bool:
    try:
        return not any(d.severity is Severity.ERROR for d in _complaints(flags))
    except InputError:
        return False


def _complaints(flags: tuple[str, ...]) -> list[Diagnostic]:
    """What clang says to the flags themselves."""
    name = "flags.cpp" if "-nostdinc++" in flags else "flags.c"
    return libclang.parse(name, flags, "int i;")[1]

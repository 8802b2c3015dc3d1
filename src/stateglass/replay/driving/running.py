"""Compiles drivers with the user's compiler and runs them in a folder of their own, with a time limit."""

from __future__ import annotations

import math
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, final

from stateglass.replay.driving.driver import ASSUMED, Driver
from stateglass.replay.driving.failures import Outcome, outcome_of
from stateglass.replay.driving.processes import done_by
from stateglass.replay.driving.spelling import refused
from stateglass.source import Code, InputError, input_error, is_cplusplus, printable

ANSWER: Final = "answer.txt"
PROGRAM: Final = "driver"
COMPILE_SECONDS: Final = 120.0
_MOST_LINES: Final = 12
# Signals are ours: they tell of errors, too, and we want to know where.
_OFF: Final = (
    "detect_leaks",
    *(f"handle_{name}" for name in ("segv", "sigbus", "abort", "sigill", "sigfpe", "sigtrap")),
)
_ASAN: Final = ":".join([*(f"{name}=0" for name in _OFF), "detect_stack_use_after_return=1"])
# What makes a compiler notice an error of a kind; where a signal tells of it anyway, nothing.
_TRAPS: Final[dict[str, tuple[str, ...]]] = {
    "overflow": ("signed-integer-overflow", "float-cast-overflow", "integer-divide-by-zero"),
    "shift": ("shift",),
    "division": ("integer-divide-by-zero", "signed-integer-overflow"),
    "bounds": ("bounds", "object-size", "address"),
    "null": ("null", "nonnull-attribute"),
    "dangling": ("address",),
    "bool": ("bool", "enum"),
    "alignment": ("alignment",),
    "overlap": ("address",),
    "readonly": (),
    "free": ("address",),
    "assertion": (),
    "abort": (),
    "unreachable": ("unreachable", "builtin"),
}
_WATCHING: Final = (
    ("-fsanitize=thread", "--param=tsan-distinguish-volatile=1"),
    ("-fsanitize=thread", "-mllvm", "-tsan-distinguish-volatile=1"),
)
_PROBE: Final = "volatile int sg_probe; int sg_read(void) { return sg_probe; }\n"
# Functions of the library must be called as they are written, and not be taken for something the compiler knows.
# Lines in included files are looked up wrongly by some binutils if they are told in the fifth version of the format.
_PLAIN: Final = ("-w", "-gdwarf-4", "-fno-builtin", "-U__OPTIMIZE__", "-U_FORTIFY_SOURCE")
# The compiler may be named with flags for another C than ours.
_OWN: Final = ("-w", "-std=gnu11")
# As the linkers of GNU, of LLVM and of the gold project say it, in English.
_UNDEFINED: Final = re.compile(r"undefined (?:reference to|symbol:) [`']?([A-Za-z_]\w*)\b(?![:(])")
# A driver looks at what is private, too.
_OPEN: Final = ("-fno-access-control",)
_BUILTIN: Final = {"outside": ("-fno-builtin",)}
# Exceptions pass through what stands for functions outside. `main` of the code must stay what it is called, since C++
# lets nothing else end without returning something; what the process starts with goes by another name.
_SPECIAL: Final = {"outside": ("-fno-builtin", "-fexceptions"), "following": ("-Dmain=__wrap_main",)}
_WRAPPED: Final = ("-Wl,--wrap=main",)


# Compilers of C and of C++ that go together; what others end with comes later.
_PAIRS: Final = (("clang", "clang++"), ("gcc", "g++"), ("cc", "c++"))


@final
@dataclass(frozen=True, slots=True)
class Compiling:
    """The compiler as it is named, the flags of each file, and what else the meaning of the code asks for."""

    compiler: str | None  # None: it is looked for
    flags: tuple[tuple[str, ...], ...]
    more: tuple[str, ...] = ()


def find_compiler(named: str | None) -> tuple[str, ...]:
    """The compiler of C to use as the words of a command: its path, and flags if it is named with some."""
    variable = os.environ.get("CC", "").strip()
    if named is not None or variable:
        said = named if named is not None else variable
        words = _words(said)
        if words is None:
            where = "" if named is not None else ", which $CC names"
            message = f"there is no compiler `{printable(said)}`{where}"
            raise input_error(Code.FILE, message, help="--compiler names another one")
        # One of C++ takes every file for C++.
        return _beside(words, {cplusplus: c for c, cplusplus in _PAIRS}) or words
    for name in ("cc", "gcc", "clang"):
        found = shutil.which(name)
        if found is not None:
            return (found,)
    raise input_error(
        Code.FILE, "there is no C compiler", help="--compiler names one; cc, gcc and clang are looked for"
    )


def find_cplusplus(compiler: Sequence[str]) -> tuple[str, ...]:
    """The compiler of C++ that goes with one of C, or `$CXX`."""
    variable = os.environ.get("CXX", "").strip()
    if variable:
        words = _words(variable)
        if words is None:
            raise input_error(Code.FILE, f"there is no compiler `{printable(variable)}`, which $CXX names")
        return words
    found = _beside(compiler, dict(_PAIRS))
    if found is None:
        message = f"the code is C++, and there is no compiler of C++ beside `{printable(compiler[0])}`"
        raise input_error(Code.FILE, message, help="install g++ or clang++, or let $CXX name one")
    return found


def _beside(compiler: Sequence[str], others: Mapping[str, str]) -> tuple[str, ...] | None:
    """A compiler for another language that is called like one and lies beside it."""
    folder, name = os.path.split(compiler[0])
    for ending, other in others.items():
        start, found, version = name.rpartition(ending)
        if found:
            path = shutil.which(os.path.join(folder, start + other + version))
            return None if path is None else (path, *compiler[1:])
    return None


def _words(said: str) -> tuple[str, ...] | None:
    """A program with its flags, as a shell takes it apart; None if there is no such program."""
    whole = shutil.which(said)  # its path may have blanks in it
    if whole is not None:
        return (os.path.abspath(whole),)  # it is called from other folders, too
    try:
        name, *flags = shlex.split(said) or [""]
    except ValueError:  # a quotation mark is missing
        return None
    found = shutil.which(name)
    return None if found is None else (os.path.abspath(found), *flags)


@final
class Workshop:
    """A folder where drivers are built and run, one after the other; what they have in common is compiled once."""

    def __init__(
        self, folder: Path, how: Compiling, left: Callable[[], float] = lambda: math.inf, keep: str | None = None
    ) -> None:
        """`left`: how many seconds all of it may still take; `keep`: the folder as its user calls it, if it stays."""
        self._folder = folder
        self._how = how
        self._left = left
        self._keep = keep
        self._objects: dict[tuple[tuple[str, ...], str, str], list[str]] = {}
        self._flags: tuple[str, ...] | None = None

    def build(self, driver: Driver) -> tuple[str, ...]:
        """Compiles and links; what was written can be built again with the commands that are returned."""
        texts = driver.texts()
        for name, text in texts.items():
            (self._folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self._folder / name).write_text(text, encoding="utf-8")
        try:
            return self._built(driver, texts)
        except InputError as error:
            raise error if self._keep is None else _kept(error, self._keep) from None

    def _built(self, driver: Driver, texts: Mapping[str, str]) -> tuple[str, ...]:
        compiler = find_compiler(self._how.compiler)
        cplusplus = find_cplusplus(compiler) if driver.has_cplusplus else ()
        watching = self._watching(compiler) if driver.reads_inputs else ()
        traps, linking = _traps("" if driver.failure is None else driver.failure.kind, bool(watching))
        # An optimiser may leave out stores that nobody waits for, and what is undefined with its check.
        plainly = ("-O0",) if watching or driver.failure is not None or driver.is_doubled else ()
        # A header that has been found since is taken before one that stands for it.
        headers = ("-idirafter", str(self._folder / ASSUMED)) if driver.assumed_headers else ()
        commands: list[list[str]] = []
        for name, flags in zip(driver.subjects, self._how.flags, strict=True):
            whose = (*cplusplus, *_OPEN) if is_cplusplus(name) else compiler
            more = (*headers, *self._how.more, *_PLAIN, *watching, *traps, *plainly)
            commands.append(self._object((*whose, *flags, *more), name, texts[name]))
        for part in ("run", "following", "outside", *(("hooks",) if watching else ())):
            special = _SPECIAL.get(part, ()) if driver.has_cplusplus else _BUILTIN.get(part, ())
            commands.append(self._object((*compiler, *_OWN, *special), f"{part}.c", texts[f"{part}.c"]))
        linker = (*cplusplus, *_WRAPPED) if driver.has_cplusplus else compiler
        objects = [command[-1] for command in commands]
        link = [*linker, *linking, *objects, "-lm", "-o", str(self._folder / PROGRAM)]
        done = self._run(link)
        missing = driver.text_of_missing(_UNDEFINED.findall(done.stderr)) if done.returncode else ""
        if missing:
            # What the code names that does not run need not be there; which of it is, only the linker knows.
            (self._folder / "missing.c").write_text(missing, encoding="utf-8")
            commands.append(self._object((*compiler, *_OWN, *_BUILTIN["outside"]), "missing.c", missing))
            link[-3:-3] = [commands[-1][-1]]
            done = self._run(link)
        _check(done)
        commands.append(link)
        return tuple(shlex.join(command) for command in commands)

    def _object(self, words: tuple[str, ...], name: str, text: str) -> list[str]:
        """The command that makes an object of a file, its last word; it is run if nobody has done so."""
        made = self._objects.get((words, name, text))
        if made is None:
            number = sum(other == name for _, other, _ in self._objects)
            object = f"{name.partition('.')[0]}{f'_{number}' if number else ''}.o"
            made = [*words, "-c", str(self._folder / name), "-o", str(self._folder / object)]
            _check(self._run(made))
            self._objects[words, name, text] = made
        return made

    def _run(self, command: Sequence[str]) -> subprocess.CompletedProcess[str]:
        """Runs the compiler from where we are: folders of headers are named from here."""
        most = min(COMPILE_SECONDS, self._left())
        try:
            return done_by(command, most)
        except subprocess.TimeoutExpired:
            raise input_error(Code.FILE, f"`{command[0]}` took longer than {most:.3g} s") from None

    def run(self, driver: Driver, seconds: float) -> Outcome:
        """Runs what was built last."""
        answer, most = self._folder / ANSWER, min(seconds, self._left())
        answer.unlink(missing_ok=True)
        environment = {**os.environ, "ASAN_OPTIONS": _ASAN, "UBSAN_OPTIONS": ""}
        command = [str((self._folder / PROGRAM).resolve()), ANSWER]
        try:
            found = subprocess.run(
                command,
                cwd=self._folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=most,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return Outcome(None, f"the code did not come to an end in {most:.3g} s, which proves nothing")
        words = answer.read_text(encoding="utf-8", errors="replace").strip() if answer.exists() else ""
        outcome = outcome_of(words, driver.failure, self._folder / PROGRAM, driver.sources)
        if outcome is not None:
            return outcome
        how = f"signal {-found.returncode}" if found.returncode < 0 else f"status {found.returncode}"
        return Outcome(None, f"the code ended the process by itself, with {how}, before the run was over")

    def _watching(self, compiler: Sequence[str]) -> tuple[str, ...]:
        """The flags that make the compiler tell of accesses to volatile variables."""
        if self._flags is None:
            self._flags = _flags_for_watching(compiler, self._folder)
        return self._flags


def _check(done: subprocess.CompletedProcess[str]) -> None:
    if done.returncode:
        said = "\n".join(f"  {line}" for line in done.stderr.strip().splitlines()[:_MOST_LINES])
        message = f"the driver cannot be compiled:\n{said}"
        raise input_error(Code.UNSUPPORTED, message, help="--keep FOLDER keeps it to be looked at")


def _kept(error: InputError, folder: str) -> InputError:
    """The same, with a word on where the driver is that nothing came of."""
    where = f"the driver is in {folder}"
    helps = [f"{d.help}; {where}" if d.help and "--keep" not in d.help else where for d in error.diagnostics]
    return InputError([replace(d, help=help) for d, help in zip(error.diagnostics, helps, strict=True)])


def _flags_for_watching(compiler: Sequence[str], folder: Path) -> tuple[str, ...]:
    """The flags that make the compiler tell of accesses to volatile variables."""
    (folder / "probe.c").write_text(_PROBE, encoding="utf-8")
    try:
        for flags in _WATCHING:
            command = [*compiler, *flags, "-S", "probe.c", "-o", "probe.s"]
            try:
                done = done_by(command, COMPILE_SECONDS, folder)
            except (OSError, subprocess.TimeoutExpired):
                continue
            if done.returncode == 0 and b"__tsan_volatile_read4" in (folder / "probe.s").read_bytes():
                return flags
    finally:
        for name in ("probe.c", "probe.s"):
            (folder / name).unlink(missing_ok=True)
    raise refused(
        "it reads inputs in the middle of functions, and this compiler does not tell of that",
        "gcc 11 or later does, and so does clang",
    )


def _traps(kind: str, watching: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Flags for compiling and for linking that make an error visible."""
    if not kind:
        return (), ()
    if kind not in _TRAPS:
        raise refused(f"error({kind}) cannot be seen in compiled code")
    names = [name for name in _TRAPS[kind] if name != "address"]
    flags = [f"-fsanitize={','.join(names)}"] if names else []
    if "address" not in _TRAPS[kind]:
        return tuple(flags), ()
    if watching:
        if not names:
            raise refused(f"error({kind}) cannot be seen in a run that reads inputs in the middle of functions")
        return tuple(flags), ()
    address = ("-fsanitize=address", "-fno-omit-frame-pointer")
    return (*flags, *address), address

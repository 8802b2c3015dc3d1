"""Takes a compiler's command line apart: keeps what changes the meaning of code, drops outputs and warnings."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, final

from stateglass.frontend.building.databases import Command

# Programs that start the compiler whose name follows theirs.
_LAUNCHERS: Final = frozenset({"ccache", "sccache", "distcc", "icecc", "gomacc", "buildcache"})
# Their value follows, in the same word or the next one; it is a path.
_PATHS: Final = ("-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-isysroot", "-iframework", "-F")
_VALUES: Final = ("-D", "-U", "-x", "-arch")
_GOES_WITH_VALUE: Final = frozenset(
    {"-o", "-MF", "-MT", "-MQ", "-MJ", "-T", "-L", "-l", "-u", "-z", "-e", "-Xlinker", "-Xassembler", "--param"}
    | {"-aux-info", "-dumpbase", "-dumpbase-ext", "-dumpdir", "-wrapper", "-G"}
)
_GOES: Final = frozenset(
    {"-c", "-S", "-E", "-s", "-v", "-w", "-pipe", "-static", "-shared", "-rdynamic", "-pedantic", "-pedantic-errors"}
    | {"-M", "-MM", "-MD", "-MMD", "-MP", "-MG", "-MV", "-fsyntax-only"}
)
# Warnings are not what is asked for; clang's differ from gcc's, and -Werror would make errors of them.
_GOES_ANYWAY: Final = ("-W", "-g", "-o", "-L", "-l", "-T", "-MF", "-MT", "-MQ", "-MJ", "-save-temps", "--param=")
# Code from the folder that is looked at must not be run, and clang's own options are for clang alone.
_REFUSED_WITH_VALUE: Final = frozenset({"-Xclang", "-Xpreprocessor", "-mllvm", "-load", "--config", "-fplugin"})
_REFUSED: Final = ("-fplugin=", "-fpass-plugin=", "-fplugin-arg-", "--config=", "-B", "-specs=", "--specs=")


@final
@dataclass(frozen=True, slots=True)
class Cleaned:
    """What is left of a command line: values joined to their flags, paths as seen from the current folder."""

    flags: tuple[str, ...]
    compiler: str | None = None
    refused: tuple[str, ...] = ()
    not_followed: tuple[str, ...] = ()  # response files


def clean(command: Command) -> Cleaned:
    arguments = list(command.arguments)
    compiler = command.compiler
    while compiler is not None and _program(compiler) in _LAUNCHERS and arguments and arguments[0][:1] != "-":
        compiler = arguments.pop(0)
    cleaning = _Cleaning(command.folder)
    cleaning.take(arguments)
    name = None if compiler is None else os.path.basename(compiler)
    return Cleaned(tuple(cleaning.flags), name, tuple(cleaning.refused), tuple(cleaning.not_followed))


def _program(path: str) -> str:
    return os.path.basename(path).removesuffix(".exe")


@final
class _Cleaning:
    """A command line that is read from left to right."""

    def __init__(self, folder: str) -> None:
        self.flags: list[str] = []
        self.refused: list[str] = []
        self.not_followed: list[str] = []
        self._folder = folder

    def take(self, arguments: list[str]) -> None:
        words = iter(arguments)
        for word in words:
            if word == "--":
                return  # only names of files come behind
            if word.startswith("@"):
                self.not_followed.append(word)
            elif word.startswith("-") and word != "-":
                self._flag(word, words)

    def _flag(self, word: str, words: Iterator[str]) -> None:
        if word.startswith("-Wp,"):
            self._for_preprocessor(word.split(",")[1:])
        elif word in _REFUSED_WITH_VALUE:
            self.refused.append(" ".join([word, *_one(words)]))
        elif word.startswith(_REFUSED):
            self.refused.append(word)
        elif word in _GOES_WITH_VALUE:
            next(words, None)
        elif word in ("-target", "--target"):
            self.flags += [f"--target={value}" for value in _one(words)]
        elif word == "--sysroot":
            self.flags += [f"--sysroot={self._located(value)}" for value in _one(words)]
        elif word.startswith("--sysroot="):
            self.flags.append(f"--sysroot={self._located(word.removeprefix('--sysroot='))}")
        elif (name := _named(word, _PATHS)) is not None:
            self.flags += [name + self._located(v) for v in _value(word, name, words)]
        elif (name := _named(word, _VALUES)) is not None:
            separate = ["-arch"] if name == "-arch" else []
            self.flags += [w for v in _value(word, name, words) for w in (*separate, v if separate else name + v)]
        elif word not in _GOES and not word.startswith(_GOES_ANYWAY):
            self.flags.append(word)

    def _for_preprocessor(self, parts: list[str]) -> None:
        if not parts[0].startswith("-M"):  # else: it writes the file whose name follows
            self.take(parts)

    def _located(self, path: str) -> str:
        """A path of the command as seen from the current folder; `=x` is below the system root."""
        if not path or os.path.isabs(path) or path.startswith("="):
            return path
        return os.path.relpath(os.path.join(self._folder, path))


def _named(word: str, names: tuple[str, ...]) -> str | None:
    """The flag that a word is or begins with, the longest one."""
    return max((n for n in names if word.startswith(n)), key=len, default=None)


def _value(word: str, name: str, words: Iterator[str]) -> list[str]:
    rest = word.removeprefix(name)
    return [rest] if rest else _one(words)


def _one(words: Iterator[str]) -> list[str]:
    """The next word, if there is one."""
    word = next(words, None)
    return [] if word is None else [word]

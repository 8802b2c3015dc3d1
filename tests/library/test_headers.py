"""The headers of the library can be read alone and all together, for every target, without a system's headers."""

from __future__ import annotations

import platform
import re
import subprocess
from typing import Final

import pytest

from stateglass.frontend.building.compiler import find_compiler
from stateglass.frontend.building.flags import compiler_flags
from stateglass.frontend.clang import libclang
from stateglass.frontend.linking.library import INCLUDE_FOLDER, library_flags
from stateglass.frontend.linking.library_index import library_files
from stateglass.source import Diagnostic, Severity

HEADERS: Final = [path.relative_to(INCLUDE_FOLDER).as_posix() for path in sorted(INCLUDE_FOLDER.rglob("*.h"))]
# What clang brings along.
BUILTIN: Final = ["stddef.h", "stdint.h", "limits.h", "stdbool.h", "stdarg.h", "iso646.h", "float.h", "stdalign.h"]
TARGETS: Final = [None, "arm-none-eabi", "i386", "avr", "msp430", "powerpc-none-eabi"]
STANDARDS: Final = ["c89", "c99", "c11", "gnu17", "gnu23"]
# Some of the headers that come from the user's compiler and share types with ours.
OTHERS: Final = [
    *("sys/epoll.h", "sys/wait.h", "netdb.h", "termios.h", "aio.h", "dirent.h", "sys/resource.h", "net/if.h"),
    *("netinet/ip.h", "net/route.h"),
]
# Some of Linux's own, which define what is in ours unless those come first.
LINUX: Final = ["linux/in.h", "linux/in6.h", "linux/mroute.h", "linux/if_packet.h"]
# Numbers of ours that are others on purpose: a set of files is small, and files are large without asking.
OF_OURS: Final = {"FD_SETSIZE", "O_LARGEFILE"}
_NUMBER: Final = re.compile(r"^ *#define ([A-Z]\w+) ((?:0x)?[0-9a-f]+)$", re.MULTILINE)
# Names that others have headers of, too: FreeRTOS's own are meant where FreeRTOS.h comes before.
NEEDS_KERNEL: Final = {"task.h", "queue.h", "timers.h"}
KERNEL: Final = {"FreeRTOS.h", "task.h", "queue.h", "semphr.h", "timers.h", "event_groups.h", "cmsis_os2.h"}


def bare(target: str | None, standard: str) -> tuple[str, ...]:
    flags = library_flags(() if target is None else (f"--target={target}",))
    return (*(f for f in flags if not f.startswith("-std=")), f"-std={standard}", "-Wno-everything")


def errors(text: str, flags: tuple[str, ...]) -> list[Diagnostic]:
    _, problems = libclang.parse("includes.c", flags, text + "int i;\n")
    return [p for p in problems if p.severity is Severity.ERROR]


def including(headers: list[str]) -> str:
    first = ["FreeRTOS.h"] if NEEDS_KERNEL & set(headers) else []
    return "".join(f"#include <{header}>\n" for header in [*first, *headers])


@pytest.mark.parametrize("target", TARGETS)
def test_each_header_stands_alone(target: str | None) -> None:
    flags = bare(target, "gnu17")
    problems = {header: errors(including([header, header]), flags) for header in [*HEADERS, *BUILTIN]}
    assert {header: found for header, found in problems.items() if found} == {}


@pytest.mark.parametrize("standard", STANDARDS)
@pytest.mark.parametrize("target", TARGETS)
def test_all_headers_go_together(target: str | None, standard: str) -> None:
    flags = bare(target, standard)
    together = [*HEADERS, *BUILTIN]
    assert errors(including(together), flags) == []
    assert errors("#define _GNU_SOURCE\n" + including(together[::-1]), flags) == []


LARGE_FILES: Final = """#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
off64_t size(const char *path)
{
    struct stat64 known;
    if (stat64(path, &known) == 0 && S_ISREG(known.st_mode))
        return known.st_size;
    FILE *file = fopen64(path, "r");
    fseeko64(file, 0, SEEK_END);
    return ftello64(file) + lseek64(open64(path, O_RDONLY), 0, SEEK_CUR);
}
"""


@pytest.mark.parametrize("standard", STANDARDS)
@pytest.mark.parametrize("asked", ["_LARGEFILE64_SOURCE", "_GNU_SOURCE"])
def test_names_for_large_files_are_there_if_asked_for(asked: str, standard: str) -> None:
    assert errors(f"#define {asked}\n{LARGE_FILES}", bare(None, standard)) == []


@pytest.mark.skipif(find_compiler() is None, reason="there is no compiler with headers of its own")
@pytest.mark.parametrize("other", OTHERS)
def test_headers_go_together_with_the_compilers(other: str) -> None:
    flags = compiler_flags((), None)
    without_ours = tuple(f for f in flags if str(INCLUDE_FOLDER) not in f)
    if errors(including([other]), without_ours):
        pytest.skip(f"this system has no {other}")
    ours = [h for h in HEADERS if h not in KERNEL and not h.startswith("stateglass/")]
    for order in ([other], [other, *ours], [*ours, other]):
        assert errors(including(order), flags) == []


@pytest.mark.skipif(find_compiler() is None, reason="there is no compiler with headers of its own")
@pytest.mark.parametrize("other", LINUX)
def test_headers_of_linux_do_not_define_again(other: str) -> None:
    flags = compiler_flags((), None)
    if errors(including([other]), tuple(f for f in flags if str(INCLUDE_FOLDER) not in f)):
        pytest.skip(f"this system has no {other}")
    assert errors(including(["netinet/in.h", other]), flags) == []
    assert errors(including(["netdb.h", "netinet/in.h", other]), flags) == []


@pytest.mark.skipif(platform.system() != "Linux" or platform.machine() != "x86_64", reason="numbers are Linux's there")
@pytest.mark.skipif(find_compiler() is None, reason="there is no compiler with headers of its own")
@pytest.mark.parametrize("header", [h for h in HEADERS if h not in KERNEL])
def test_numbers_are_those_of_the_system(header: str) -> None:
    numbers = _NUMBER.findall((INCLUDE_FOLDER / header).read_text(encoding="utf-8"))
    # Some are only known when a program runs.
    is_so = '_Static_assert(__builtin_choose_expr(__builtin_constant_p({0}), {0}, {1}) == {1}, "{0}");'
    asserted = [f"#ifdef {n}\n{is_so.format(n, v)}\n#endif\n" for n, v in numbers if n not in OF_OURS]
    text = f"#if __has_include(<{header}>)\n#include <{header}>\n#endif\n" + "".join(asserted)
    command = [str(find_compiler()), "-D_GNU_SOURCE", "-fsyntax-only", "-w", "-x", "c", "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("target", TARGETS)
def test_every_body_can_be_read(target: str | None) -> None:
    flags = library_flags(() if target is None else (f"--target={target}",))
    problems = {}
    for name, path in library_files().items():
        _, found = libclang.parse(str(path), flags)
        problems[name] = [p for p in found if p.severity is Severity.ERROR]
    assert {name: found for name, found in problems.items() if found} == {}


def test_only_the_names_of_the_standard_are_shown_to_strict_programs() -> None:
    own = "int index; int getline(char *s, int n);\n"
    everything = including(["stdio.h", "stdlib.h", "string.h", "ctype.h", "time.h", "signal.h", "math.h"])
    assert errors(everything + own, bare(None, "c11")) == []
    assert errors(everything + own, bare(None, "gnu17")) != []


@pytest.mark.parametrize("header", sorted(NEEDS_KERNEL))
def test_headers_of_a_kernel_do_not_stand_for_others_of_the_same_name(header: str) -> None:
    [problem] = errors(f"#include <{header}>\n", bare(None, "gnu17"))
    assert problem.message == f"'{header}' file not found"

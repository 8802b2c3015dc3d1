"""What strace writes, with the process numbers, times, instruction pointers and numbers of calls its options add.

A call that is cut in two by another process (`<unfinished ...>`, `<... read resumed>`) happens where it returns, or at
the end of the log if it never does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, final

from stateglass.replay.happenings import End, Happening, Killed, Signal, SystemCall
from stateglass.source import Code, InputError, Span, input_error

_TIME = r"(?:\d+:\d\d:\d\d|\d+)(?:\.\d+)?"
_COMMAND = r"(?:<[^>]*>)?"
_PREFIX: Final = re.compile(
    rf"(?:\[pid +(\d+){_COMMAND}\] *|(\d{{1,7}}){_COMMAND} +)?"
    rf"\s*(?:{_TIME} +)?(?:\(?\+? *\d+\.\d+\)? +)?"
    r"(?:\[ *(?:[0-9a-f]+|\?+)\] *)*"
)
_CALL: Final = re.compile(r"([A-Za-z_]\w*)\((.*)\)\s*= (.+)", re.DOTALL)
_BEGUN: Final = re.compile(r"([A-Za-z_]\w*)\((.*)", re.DOTALL)
_UNFINISHED: Final = "<unfinished ...>"
_RESUMED: Final = re.compile(r"<\.\.\. ([A-Za-z_]\w*) resumed>\s*(.*)", re.DOTALL)
_REST: Final = re.compile(r"(.*)\)\s*= (.+)", re.DOTALL)
_EXITED: Final = re.compile(r"\+\+\+ exited with (-?\d{1,10}) \+\+\+")
_KILLED: Final = re.compile(r"\+\+\+ killed by (\w+)(?: \(core dumped\))? \+\+\+")
_SIGNAL: Final = re.compile(r"--- (SIG\w+)(?: .*)?---")
# The frames of a stack (-k), remarks of strace itself, and what it says when a process stops or replaces another.
_REMARK: Final = re.compile(
    r"\s*> .*|strace: .*|\+\+\+ superseded by .*\+\+\+|--- stopped by .*---"
    r"|\[ Process PID=.*\]|(?:strace: )?Process \d+ (?:attached|detached).*"
)
_ATTACHED: Final = re.compile(r"(.+?)strace: Process \d+ (?:attached|detached)")
_TOOK: Final = re.compile(r"<\d+\.\d+>$")
# Not even the call's name is known: the process ended while strace looked.
_NAMELESS: Final = re.compile(r"\?{4}\(.*")


@final
class StraceReader:
    """Reads the calls, signals and ends of one process, or of all in the order in which strace wrote them."""

    def __init__(self, name: str = "", process: int | None = None) -> None:
        self.skipped = 0
        self.processes: dict[int, None] = {}
        self._name = name
        self._process = process
        self._begun: dict[int | None, tuple[int, str, str]] = {}  # by process: line, call, its arguments so far
        self._ended: tuple[int, End] | None = None

    def read(self, lines: Iterator[tuple[int, str]]) -> Iterator[tuple[int, Happening]]:
        held, number = "", 0
        for number, line in lines:
            # A remark about a new process may stand within a line, if both went to a terminal.
            broken = _ATTACHED.fullmatch(line)
            if broken is not None and _REMARK.fullmatch(line) is None:
                held += broken[1]
                continue
            line, held = held + line, ""
            if not line or line.isspace():
                self.skipped += 1
            else:
                yield from self._read(number, line)
        if held:
            yield from self._read(number, held)
        for began, call, arguments in self._begun.values():
            yield began, SystemCall(call, arguments, "")
        if self._ended is not None:
            yield self._ended

    def _read(self, number: int, line: str) -> Iterator[tuple[int, Happening]]:
        if _REMARK.fullmatch(line):
            self.skipped += 1
            return
        prefix = _PREFIX.match(line)
        assert prefix is not None  # it may be empty
        process = int(prefix[1] or prefix[2]) if prefix[1] or prefix[2] else None
        body = line[prefix.end() :].rstrip()
        if process is not None and process not in self.processes:
            self.processes[process] = None
        if self._process is not None and process is None and not _REMARK.fullmatch(body):
            help = "record it with `strace -f -o FILE`, so that each line has one"
            message = f"line {number} of the log has no process number to choose it by"
            raise input_error(Code.SYNTAX, message, Span.at(self._name, number), help)
        if self._process is not None and process != self._process:
            self.skipped += 1
            return
        happening = self._happening(number, body, process)
        if happening is None:
            return
        if self._ended is not None and self._process is None:
            # Of several processes or threads the last to end is the program's end.
            self._ended = None
        if isinstance(happening, End) and process is not None:
            self._ended = number, happening
        else:
            yield number, happening

    def _happening(self, number: int, body: str, process: int | None) -> Happening | None:
        if body.endswith(_UNFINISHED) and (found := _BEGUN.fullmatch(body.removesuffix(_UNFINISHED))):
            self._begun[process] = number, found[1], _open_list(found[2])
            return None
        if found := _CALL.fullmatch(body):
            return _call(found[1], _open_list(found[2].removesuffix(_UNFINISHED)), found[3])
        if found := _RESUMED.fullmatch(body):
            return self._resumed(number, found[1], found[2], process)
        if found := _EXITED.fullmatch(body):
            return End(int(found[1]))
        if found := _KILLED.fullmatch(body):
            return Killed(found[1])
        if found := _SIGNAL.fullmatch(body):
            return Signal(found[1])
        if _REMARK.fullmatch(body) or _NAMELESS.fullmatch(body):
            self.skipped += 1
            return None
        raise self._unreadable(number)

    def _resumed(self, number: int, name: str, text: str, process: int | None) -> SystemCall:
        # Where one process is left, strace leaves out its number.
        if process is None and None not in self._begun:
            process = next((p for p, (_, call, _) in self._begun.items() if call == name), None)
        _, call, before = self._begun.pop(process, (number, name, ""))
        rest = _REST.fullmatch(text)
        if rest is None or call != name:
            raise self._unreadable(number)
        return _call(name, ", ".join(part for part in (before, rest[1].strip()) if part), rest[2])

    def _unreadable(self, number: int) -> InputError:
        help = "record it with `strace -o FILE`, so that the program's own output does not come in between"
        return input_error(Code.SYNTAX, f"line {number} is no output of strace", Span.at(self._name, number), help)


def _call(name: str, arguments: str, result: str) -> SystemCall:
    result = _TOOK.sub("", result.rstrip()).strip()
    if result.startswith("?"):
        return SystemCall(name, arguments, "", restarted="ERESTART" in result)
    return SystemCall(name, arguments, result)


def _open_list(arguments: str) -> str:
    """The arguments so far, without the comma after them."""
    return arguments.rstrip().removesuffix(",")

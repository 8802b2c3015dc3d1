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
_STRACE: Final = "strace: Process "
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
        self._begun: list[tuple[int, int | None, str, str]] = []  # line, process, call, its arguments so far
        self._cut_short: list[tuple[int, SystemCall]] = []  # calls of a process that has just ended
        self._ended: tuple[int, End] | None = None

    def read(self, lines: Iterator[tuple[int, str]]) -> Iterator[tuple[int, Happening]]:
        held, number = "", 0
        for number, line in lines:
            # A remark about a new process may stand within a line, if both went to a terminal.
            if _STRACE in line and (broken := _ATTACHED.fullmatch(line)) and not _REMARK.fullmatch(line):
                held += broken[1]
                continue
            if held:
                line, held = held + line, ""
            happening = self._read(number, line)
            if self._cut_short:
                yield from self._cut_short
                self._cut_short = []
            if happening is not None:
                yield number, happening
        if held and (happening := self._read(number, held)) is not None:
            yield number, happening
        for began, _, call, arguments in self._begun:
            yield began, SystemCall(call, arguments, "")
        if self._ended is not None:
            yield self._ended

    def _read(self, number: int, line: str) -> Happening | None:
        prefix = _PREFIX.match(line)
        assert prefix is not None  # it may be empty
        body = line[prefix.end() :].rstrip()
        digits = prefix[1] or prefix[2]
        process = int(digits) if digits else None
        if process is not None and process not in self.processes:
            self.processes[process] = None
        if self._process is not None and process != self._process:
            if process is None and body and not _REMARK.fullmatch(line):
                raise self._unnumbered(number)
            self.skipped += 1
            return None
        happening = self._happening(number, body, process)
        if happening is None:
            return None
        # Of several processes or threads the last to end is the program's end.
        self._ended = None
        if isinstance(happening, End | Killed):
            self._cut_short = [
                (line, SystemCall(call, rest, "")) for line, p, call, rest in self._begun if p == process
            ]
            self._begun = [begun for begun in self._begun if begun[1] != process]
        if isinstance(happening, End) and process is not None:
            self._ended = number, happening
            return None
        return happening

    def _happening(self, number: int, body: str, process: int | None) -> Happening | None:
        if body.endswith(_UNFINISHED) and (found := _BEGUN.fullmatch(body.removesuffix(_UNFINISHED))):
            self._begun.append((number, process, found[1], _open_list(found[2])))
            return None
        if found := _CALL.fullmatch(body):
            name, arguments, result = found.groups()
            if arguments.endswith(_UNFINISHED):
                arguments = _open_list(arguments.removesuffix(_UNFINISHED))
            return _call(name, arguments, result)
        if found := _RESUMED.fullmatch(body):
            return self._resumed(number, found[1], found[2], process)
        if found := _EXITED.fullmatch(body):
            return End(int(found[1]))
        if found := _KILLED.fullmatch(body):
            return Killed(found[1])
        if found := _SIGNAL.fullmatch(body):
            return Signal(found[1])
        if not body or _REMARK.fullmatch(body) or _NAMELESS.fullmatch(body):
            self.skipped += 1
            return None
        raise self._unreadable(number)

    def _resumed(self, number: int, name: str, text: str, process: int | None) -> SystemCall:
        same = [begun for begun in self._begun if begun[2] == name]
        # Where one process is left, strace leaves out its number; and execve may end in another thread.
        same = [begun for begun in same if begun[1] == process] or same
        rest = _REST.fullmatch(text)
        if rest is None or not same:
            raise self._unreadable(number)
        self._begun.remove(same[-1])
        return _call(name, ", ".join(part for part in (same[-1][3], rest[1].strip()) if part), rest[2])

    def _unnumbered(self, number: int) -> InputError:
        help = "record it with `strace -f -o FILE`, so that each line has one"
        message = f"line {number} of the log has no process number to choose it by"
        return input_error(Code.SYNTAX, message, Span.at(self._name, number), help)

    def _unreadable(self, number: int) -> InputError:
        help = "record it with `strace -o FILE`, so that the program's own output does not come in between"
        return input_error(Code.SYNTAX, f"line {number} is no output of strace", Span.at(self._name, number), help)


def _call(name: str, arguments: str, result: str) -> SystemCall:
    if result[-1] == ">":
        result = _TOOK.sub("", result)
    result = result.strip()
    if result[:1] == "?":
        return SystemCall(name, arguments, "", restarted="ERESTART" in result)
    return SystemCall(name, arguments, result)


def _open_list(arguments: str) -> str:
    """The arguments so far, without the comma after them."""
    return arguments.rstrip().removesuffix(",")

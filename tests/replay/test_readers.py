"""The readers of logs: what they understand, what they refuse, and that nothing makes them fail otherwise."""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stateglass.replay import (
    MOST_LINE_BYTES,
    End,
    Extractor,
    Happening,
    Killed,
    PlainReader,
    Signal,
    StraceReader,
    SystemCall,
    lines_of,
)
from stateglass.source import InputError

ALONE = """\
execve("./t", ["./t"], 0x7ffc /* 20 vars */) = 0
brk(NULL)                         = 0x55a9d0a0e000
openat(AT_FDCWD, "/etc/passwd", O_RDONLY) = 3
read(3, "root) = 1:x", 10)        = 10
clock_nanosleep(CLOCK_REALTIME, 0, {tv_sec=1, tv_nsec=5}, NULL) = ? ERESTART_RESTARTBLOCK (Interrupted by signal)
--- SIGALRM {si_signo=SIGALRM, si_code=SI_KERNEL} ---
rt_sigreturn({mask=[]})           = -1 EINTR (Interrupted system call)
 > /usr/lib/libc.so.6(exit+0x1a) [0x3e69a]
exit_group(3)                     = ?
+++ exited with 3 +++
"""
ALONE_READ = [
    (1, SystemCall("execve", '"./t", ["./t"], 0x7ffc /* 20 vars */', "0")),
    (2, SystemCall("brk", "NULL", "0x55a9d0a0e000")),
    (3, SystemCall("openat", 'AT_FDCWD, "/etc/passwd", O_RDONLY', "3")),
    (4, SystemCall("read", '3, "root) = 1:x", 10', "10")),
    (5, SystemCall("clock_nanosleep", "CLOCK_REALTIME, 0, {tv_sec=1, tv_nsec=5}, NULL", "", restarted=True)),
    (6, Signal("SIGALRM")),
    (7, SystemCall("rt_sigreturn", "{mask=[]}", "-1 EINTR (Interrupted system call)")),
    (9, SystemCall("exit_group", "3", "")),
    (10, End(3)),
]
THREADS = """\
18198 write(1, "hi\\n", 3) = 3
18198 futex(0x7f4c, FUTEX_WAIT_BITSET, 18200, NULL, FUTEX_BITSET_MATCH_ANY <unfinished ...>
18200 read(0,  <unfinished ...>
18200 <... read resumed>"ab\\n", 3)      = 3
18200 exit(0)                           = ?
18200 +++ exited with 0 +++
18198 <... futex resumed>)              = 0
18198 exit_group(3)                     = ?
18198 +++ exited with 3 +++
"""


def happened(text: str, process: int | None = None) -> list[tuple[int, Happening]]:
    return list(StraceReader("x", process).read(lines_of(io.BytesIO(text.encode()), "x")))


def test_one_process() -> None:
    assert happened(ALONE) == ALONE_READ


@pytest.mark.parametrize(
    "before",
    [
        "[pid 18411] ",
        "18411 ",
        "18411<bash> ",
        "[pid 18411<bash>] ",
        "00:28:51 ",
        "00:28:51.831432 ",
        "18411 00:28:51.831432 ",
        "[pid 18411] 00:28:49.836665 [00007f53abb26545] ",
        "1700000000.831432 ",
        "1700000000 ",
        "     0.000031 [ 230] ",
        "00:28:51.831432 (+     0.000108) ",
        "[pid 18411]      0.000108 [????????????????] ",
    ],
)
def test_whatever_stands_before_a_call(before: str) -> None:
    lines = "\n".join(before + line for line in ALONE.splitlines() if not line.startswith(" >"))
    found = [happening for _, happening in happened(lines)]
    assert found == [happening for _, happening in ALONE_READ]


def test_the_time_a_call_took_is_no_result() -> None:
    assert happened("close(3</etc/passwd>) = 0 <0.000022>") == [(1, SystemCall("close", "3</etc/passwd>", "0"))]


def test_calls_that_are_cut_in_two_happen_where_they_return() -> None:
    assert [(line, str(what)) for line, what in happened(THREADS)] == [
        (1, 'write(1, "hi\\n", 3) = 3'),
        (4, 'read(0, "ab\\n", 3) = 3'),
        (5, "exit(0)"),
        (7, "futex(0x7f4c, FUTEX_WAIT_BITSET, 18200, NULL, FUTEX_BITSET_MATCH_ANY) = 0"),
        (8, "exit_group(3)"),
        (9, "exit(3)"),
    ]


def test_one_of_several_processes() -> None:
    assert [line for line, _ in happened(THREADS, 18200)] == [4, 5, 6]
    assert happened(THREADS, 18200)[-1] == (6, End(0))
    with pytest.raises(InputError, match="no process number"):
        happened(ALONE, 7)


def test_a_number_that_is_left_out_at_the_end() -> None:
    text = "[pid 7] futex(1 <unfinished ...>\n[pid 8] +++ exited with 0 +++\n<... futex resumed>) = 0\n"
    assert happened(text) == [(3, SystemCall("futex", "1", "0"))]


def test_a_remark_within_a_line() -> None:
    text = "rt_sigprocmask(SIG_SETMASK, [], strace: Process 18412 attached\nNULL, 8) = 0\n"
    assert happened(text) == [(2, SystemCall("rt_sigprocmask", "SIG_SETMASK, [], NULL, 8", "0"))]
    assert happened("strace: Process 18412 attached\n") == []


def test_a_call_that_never_returns() -> None:
    text = "7 read(0,  <unfinished ...>\n7 +++ killed by SIGKILL +++\n"
    assert happened(text) == [(1, SystemCall("read", "0", "")), (2, Killed("SIGKILL"))]
    assert happened("7 read(0,  <unfinished ...>\n") == [(1, SystemCall("read", "0", ""))]
    assert happened("read(0,  <unfinished ...>) = ?\n") == [(1, SystemCall("read", "0", ""))]


@pytest.mark.parametrize("text", ["hello\n", "read(0\n", "<... read resumed>) = 3\n", 'write(1, "a", 1a\n'])
def test_what_is_not_strace_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="line 1 is no output of strace"):
        happened(text)


def test_plain_logs() -> None:
    text = b"\xef\xbb\xbf# a comment\r\n\r\n call(f, 1) \r\n#tag\nlast"
    reader = PlainReader({"#tag"})
    assert list(reader.read(lines_of(io.BytesIO(text), "x"))) == [(3, "call(f, 1)"), (4, "#tag"), (5, "last")]
    assert reader.skipped == 2


@pytest.mark.parametrize(
    ("expression", "event"),
    [(r"state (\w+)", "idle"), (r"(?P<when>\d+).*state (?P<event>\w+)", "idle"), ("idle", "idle"), ("nothing", None)],
)
def test_events_are_found_in_free_text(expression: str, event: str | None) -> None:
    reader = PlainReader(extractor=Extractor.of(expression))
    found = [text for _, text in reader.read(iter([(1, "12:00 state idle now")]))]
    assert found == ([] if event is None else [event])


@pytest.mark.parametrize(("expression", "message"), [("(", "no regular expression"), ("(a)(b)", "2 groups")])
def test_bad_expressions(expression: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Extractor.of(expression)


def test_packed_logs_and_bad_bytes() -> None:
    data = b"a\nb\xff\n"
    expected = [(1, "a"), (2, "b\udcff")]
    assert list(lines_of(io.BytesIO(data), "x")) == expected
    packed = gzip.compress(data)
    assert list(lines_of(io.BytesIO(packed), "x")) == expected
    with pytest.raises(InputError, match="damaged"):
        list(lines_of(io.BytesIO(packed[:-4]), "x"))
    with pytest.raises(InputError, match="UTF-16"):
        list(lines_of(io.BytesIO("a\n".encode("utf-16")), "x"))


@pytest.mark.parametrize("end", [b"", b"\n"])
def test_an_endless_line_is_refused(end: bytes) -> None:
    with pytest.raises(InputError, match="line 2 of the log has more than"):
        list(lines_of(io.BytesIO(b"a\n" + b"x" * (MOST_LINE_BYTES + 1) + end), "x"))


SNIPPETS = ["read(", ")", " = ", "0", "?", "<unfinished ...>", "<... read resumed>", "+++ exited with ", "+++",
            "--- SIG", "---", "[pid 7] ", "7 ", "12:00:00.1 ", "strace: Process 7 attached", "\n", " ", '"', "\\",
            "...", ",", "(", "ERESTART", "killed by SIGX", "> ", "[", "]", "{", "é", "\x00", "99999999999"]  # fmt: skip
HOSTILE = st.binary(max_size=200) | st.lists(st.sampled_from(SNIPPETS), max_size=30).map(lambda p: "".join(p).encode())


@pytest.mark.parametrize("make", [PlainReader, StraceReader, lambda: StraceReader("x", 7)])
@settings(max_examples=300)
@given(data=HOSTILE)
def test_any_bytes_are_read_or_refused(make: Callable[[], PlainReader | StraceReader], data: bytes) -> None:
    last = data.count(b"\n") + 1
    try:
        for line, happening in make().read(lines_of(io.BytesIO(data), "x")):
            assert 1 <= line <= last
            assert str(happening)
    except InputError as error:
        assert all(d.message for d in error.diagnostics)

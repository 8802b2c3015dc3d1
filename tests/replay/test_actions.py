"""Which labels an event may be."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stateglass.replay import Alphabet, Dictionary, End, Happening, Killed, Mapping, Match, Signal, SystemCall
from stateglass.replay.arguments import may_be_equal
from stateglass.source import InputError

LABELS = (
    "tau",
    "call(open, 1)",
    "call(open, 2)",
    "return(open, 3)",
    "return(open, -1)",
    'write(1, "hi")',
    "close",
    "exit(0)",
    "exit(1)",
    "signal(SIGHUP)",
)


def moves(happening: Happening, match: Match, *mappings: str, complete: bool = False) -> list[set[str]] | None:
    dictionary = Dictionary(Alphabet(LABELS), match, [Mapping.of(text) for text in mappings], complete=complete)
    found = dictionary.moves(happening)
    assert found is dictionary.moves(happening) or found == ()
    return None if found is None else [{LABELS[label] for label in move.labels} for move in found]


OPEN = [{"call(open, 1)", "call(open, 2)"}, {"return(open, 3)", "return(open, -1)"}]


@pytest.mark.parametrize(
    ("happening", "match", "expected"),
    [
        ("close", Match.TEXT, [{"close"}]),
        ("open", Match.TEXT, None),
        ("tau", Match.TEXT, []),
        ("open", Match.NAME, OPEN),
        ("call(open, 7)", Match.NAME, OPEN[:1]),
        ("return(open)", Match.NAME, OPEN[1:]),
        ("open(2)", Match.ARGUMENTS, [{"call(open, 2)"}, OPEN[1]]),
        (SystemCall("open", "1, x", "3"), Match.NAME, OPEN),
        (SystemCall("open", "1, x", ""), Match.NAME, OPEN[:1]),
        (SystemCall("open", "1, x", "3"), Match.ARGUMENTS, [{"call(open, 1)"}, {"return(open, 3)"}]),
        (SystemCall("open", "O_RDONLY", "-1 ENOENT (No)"), Match.ARGUMENTS, [OPEN[0], {"return(open, -1)"}]),
        (SystemCall("open", "7", "3"), Match.ARGUMENTS, [set(), {"return(open, 3)"}]),
        (SystemCall("write", '1</dev/tty>, "hi", 2', "2"), Match.ARGUMENTS, [{'write(1, "hi")'}]),
        (SystemCall("write", '1, "ho", 2', "2"), Match.ARGUMENTS, [set()]),
        (SystemCall("close", "3", "0"), Match.ARGUMENTS, [{"close"}]),
        (SystemCall("brk", "0", "0"), Match.NAME, None),
        (SystemCall("exit_group", "0", ""), Match.NAME, []),
        (SystemCall("rt_sigreturn", "", "0"), Match.NAME, []),
        (End(1), Match.ARGUMENTS, [{"exit(1)"}]),
        (End(1), Match.NAME, [{"exit(0)", "exit(1)"}]),
        (Signal("SIGHUP"), Match.NAME, [{"signal(SIGHUP)"}]),
        (Signal("SIGTERM"), Match.NAME, []),
        (Killed("SIGTERM"), Match.NAME, []),
    ],
)
def test_events_are_found(happening: Happening, match: Match, expected: list[set[str]] | None) -> None:
    assert moves(happening, match) == expected


def test_a_killed_run_is_no_complete_one() -> None:
    assert moves(Killed("SIGTERM"), Match.NAME, complete=True) is None


def test_a_call_that_the_kernel_may_begin_again_counts_once() -> None:
    dictionary = Dictionary(Alphabet(LABELS), Match.NAME, [Mapping("pause", "signal(SIGHUP)")])
    for name in ("close", "pause"):
        for restarted in (True, False, True):
            found = dictionary.moves(SystemCall(name, "3", "", restarted=restarted))
            assert found is not None
            assert [move.unsure for move in found] == [restarted]


def test_mappings_come_first() -> None:
    call = SystemCall("openat", "AT_FDCWD", "3")
    assert moves(call, Match.NAME, "openat=open") == OPEN
    assert moves(call, Match.NAME, "open*=close") == [{"close"}]
    assert moves(call, Match.NAME, "openat=", "open*=close") == []
    assert moves(call, Match.ARGUMENTS, "openat=open") == [OPEN[0], {"return(open, 3)"}]
    assert moves("a=b", Match.TEXT, r"a\=b=close") == [{"close"}]
    assert moves("a", Match.TEXT, "a=open") == OPEN
    assert moves("a", Match.TEXT, "a=call(open, 1)") == [{"call(open, 1)"}]
    assert moves(Signal("SIGTERM"), Match.NAME, "signal(SIGTERM)=exit(1)") == [{"exit(1)"}]


@pytest.mark.parametrize("text", ["", "a", "=a"])
def test_what_is_no_mapping(text: str) -> None:
    with pytest.raises(InputError, match="maps no event"):
        Mapping.of(text)


def test_all_mappings_to_nothing_are_told_at_once() -> None:
    with pytest.raises(InputError) as caught:
        moves("a", Match.TEXT, "a=clsoe", "b=close", "c=opne")
    assert [d.message.split("`")[3] for d in caught.value.diagnostics] == ["clsoe", "opne"]
    assert "`close`" in caught.value.diagnostics[0].help


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("3", "3</etc/passwd>", True),
        ("-1", "4294967295", True),
        ("-1", "0xffffffffffffffff", True),
        ("0", "4294967296", False),
        ("8", "010", True),
        ("3", "4", False),
        ('"a\\n"', '"a\\12"', True),
        ('"abc"', '"ab"...', True),
        ('"abc"', '"b"...', False),
        ('"a"', '"b"', False),
        ("O_RDONLY", "0", True),
        ('"a"', "0x7ffc", True),
    ],
)
def test_arguments_differ_only_if_they_surely_do(one: str, other: str, expected: bool) -> None:
    assert may_be_equal(one, other) is may_be_equal(other, one) is expected


@settings(max_examples=300)
@given(label=st.text(max_size=30), event=st.text(max_size=30), match=st.sampled_from(Match))
def test_any_text_has_an_answer(label: str, event: str, match: Match) -> None:
    dictionary = Dictionary(Alphabet([label, "call(f, 1)"]), match)
    dictionary.moves(SystemCall(event, event, event))
    dictionary.moves(event)
    if label.strip() and label != "tau":
        found = dictionary.moves(label.strip())
        assert found is not None
        assert 0 in found[0].labels

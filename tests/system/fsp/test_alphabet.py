"""Whether a process fits what it stands for."""

from __future__ import annotations

from stateglass.source import Code, Severity
from stateglass.system.fsp import Interface, Signature, alphabet, misfits, read_process

DOOR = Interface({"open": Signature(0, True), "close": Signature(1, False)}, frozenset({"angle"}))
HALL = Interface({"rang": Signature(1, False)}, frozenset({"light"}))
FITTING = """
P = (call(open) -> return(open, true) -> P | call(close, v:0..1) -> return(close) -> P | load(angle, 3) -> P
  | tick -> P).
"""


def said(text: str, member: Interface = DOOR, subject: Interface | None = None) -> list[tuple[Severity, str, str]]:
    found = misfits(read_process(text), member, subject)
    assert all(d.code is Code.PROCESS for d in found)
    return [(d.severity, d.message.split("\n")[0], d.help) for d in found]


def errors(text: str, member: Interface = DOOR, subject: Interface | None = None) -> list[tuple[str, str]]:
    return [(message, help) for severity, message, help in said(text, member, subject) if severity is Severity.ERROR]


def test_an_alphabet_has_each_action_once() -> None:
    text = "P = (call(open) -> {a, return(open)} -> Q), Q = (call(open) -> (when (true) a -> STOP))."
    process = read_process(text)
    assert [(p.kind.value, p.name) for p in alphabet(process)] == [("call", "open"), ("event", "a"), ("return", "open")]


def test_what_fits() -> None:
    assert said(FITTING) == []


def test_what_is_unknown_is_said_once_with_what_would_fit() -> None:
    assert errors("P = (call(opne) -> return(opne, 1) -> P).") == [
        ("there is no function `opne`", "did you mean `open`?")
    ]
    assert errors("P = (load(lock, 1) -> P).") == [("there is no field `lock`", "there is `angle`")]
    assert errors("P = (load(x, 1) -> P).", Interface({})) == [("there is no field `x`", "there are no fields")]
    assert errors("P = (call(angle) -> store(open, 1) -> P).") == [
        ("`angle` is a field: it is loaded and stored", ""),
        ("`open` is a function: it is called", ""),
    ]


def test_wrong_values() -> None:
    assert [message for message, _ in errors("P = (call(open, 1) -> return(open) -> P).")] == [
        "`open` takes no values, and 1 stand here",
        "`open` returns a value",
    ]
    text = "P = (call(close) -> return(close, 1) -> P)."
    assert [message for message, _ in errors(text)] == [
        "`close` takes 1 value, and none stand here",
        "`close` returns no value",
    ]


def test_the_process_of_one_function() -> None:
    text = "P = (begin -> return {$0 == 1} -> STOP)."
    assert errors(text, Interface({"choose": Signature(0, True)})) == []
    assert errors(text, Interface({"choose": Signature(0, False)})) == [
        ("`choose` returns no value", "write `return(choose)`")
    ]
    assert [message for message, _ in errors(text)] == ["nothing says which function returns here"]


def test_calls_of_the_subject() -> None:
    text = "P = (call(subject.rang, 1) -> return(subject.rang) -> store(subject.light, 1) -> P)."
    assert errors(text, DOOR, HALL) == []
    assert [message for message, _ in errors(text)] == [
        "`subject.rang` is no action of this process: it may not call its subject back",
        "`subject.light` is no action of this process: it may not call its subject back",
    ]
    assert errors("P = (call(subject.rung, 1) -> P).", DOOR, HALL) == [
        ("there is no function `subject.rung`", "did you mean `subject.rang`?")
    ]


def test_what_is_missing_is_a_warning() -> None:
    assert said("P = (call(open) -> P).") == [
        (Severity.WARNING, "`P` never answers a call of `open`", "add `return(open)` behind the call"),
        (Severity.WARNING, "`P` never accepts a call of `close`", "add `call(close)` where it may be called"),
    ]

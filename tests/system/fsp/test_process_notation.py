"""The notation of processes: reading, printing, all mistakes at once and where they are, and any text whatever."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stateglass.source import Code, InputError, Place, Severity, Span, render_diagnostics
from stateglass.system.fsp import Kind, Name, Process, Truth, Whole, process_text, read_process, read_processes
from stateglass.system.fsp.nodes import (
    Binding,
    Choice,
    Constant,
    Definition,
    Error,
    Guarded,
    Infix,
    Interval,
    Operator,
    Parameter,
    Pattern,
    Prefix,
    Reference,
    Stop,
    Variable,
)
from tests.system.fsp.processes import processes

DOOR = "DOOR = (call(open) -> return(open, true) -> OPEN), OPEN = (call(close) -> return(close) -> DOOR)."
EXTERNAL_CHOICE = """S_ExtChoice=(
   begin_decr -> return {$0 == 0} -> STOP |
   begin_incr -> return {$0 == 1} -> STOP |
   begin_init -> return {$0 == 2} -> STOP).
Begindecr=(begin_decr -> return{} -> STOP).
"""


def problems(text: str) -> list[str]:
    with pytest.raises(InputError) as caught:
        read_process(text)
    assert all(d.code is Code.PROCESS for d in caught.value.diagnostics)
    return [d.message.split("\n")[0] for d in caught.value.diagnostics]


def warned(text: str) -> list[str]:
    return [d.message.split("\n")[0] for d in read_process(text).warnings]


# ---- reading


def test_a_door() -> None:
    opened = Prefix((Pattern(Kind.RETURN, "open", (Constant(Truth(True)),)),), Reference("OPEN"))
    closed = Prefix((Pattern(Kind.RETURN, "close"),), Reference("DOOR"))
    assert read_process(DOOR) == Process(
        (),
        (
            Definition("DOOR", (), Prefix((Pattern(Kind.CALL, "open"),), opened)),
            Definition("OPEN", (), Prefix((Pattern(Kind.CALL, "close"),), closed)),
        ),
    )


def test_data() -> None:
    text = """
    COUNTER(MOST = 3) = COUNT[0],   // parameters are the same all the time
    /* an index has a value for each visit */
    COUNT[n:0..MOST] = (
        when (n < MOST) call(add, d:1..MOST - n) -> COUNT[n + d]
      | {throw(add, Full), reset} -> ERROR
      | store(x, -1) -> STOP).
    """
    most, n = Variable("MOST"), Variable("n")
    added = Binding("d", Interval(Constant(Whole(1)), Infix(Operator.SUBTRACT, most, n)))
    again = Reference("COUNT", (Infix(Operator.ADD, n, Variable("d")),))
    options = (
        Guarded(Infix(Operator.LESS, n, most), Prefix((Pattern(Kind.CALL, "add", (added,)),), again)),
        Prefix((Pattern(Kind.THROW, "add", (Constant(Name("Full")),)), Pattern(Kind.EVENT, "reset")), Error()),
        Prefix((Pattern(Kind.STORE, "x", (Constant(Whole(-1)),)),), Stop()),
    )
    assert read_process(text) == Process(
        (Parameter("MOST", Whole(3)),),
        (
            Definition("COUNTER", (), Reference("COUNT", (Constant(Whole(0)),))),
            Definition("COUNT", (Binding("n", Interval(Constant(Whole(0)), most)),), Choice(options)),
        ),
    )


def test_the_processes_of_component_designs() -> None:
    choice, begin = read_processes(EXTERNAL_CHOICE)
    assert [d.name for d in (*choice.definitions, *begin.definitions)] == ["S_ExtChoice", "Begindecr"]
    assert read_process(EXTERNAL_CHOICE, "Begindecr") == begin
    assert process_text(begin) == "Begindecr = (begin_decr -> return {} -> STOP).\n"
    with pytest.raises(InputError, match="none is called `Begindcr`") as caught:
        read_process(EXTERNAL_CHOICE, "Begindcr")
    assert caught.value.diagnostics[0].help == "did you mean `Begindecr`?"
    with pytest.raises(InputError, match="where one is asked for"):
        read_process(EXTERNAL_CHOICE)


def test_names_of_functions() -> None:
    for name in ("locks[0].lock", "::g", "set<int>", "operator==", "operator()", "~Door", "Box<Pair<int, 2>>.get"):
        (definition,) = read_process(f"P = (call({name}, 1<2) -> P).").definitions
        assert isinstance(definition.term, Prefix)
        assert definition.term.patterns[0].name == name


def test_comparisons_are_no_brackets_of_templates() -> None:
    text = "P(i = 1, j = 2) = (when (i<j && j>1) call(f, i<j) -> P).\n"
    assert process_text(read_process(text)) == "P(i = 1, j = 2) = (when (i < j && j > 1) call(f, i < j) -> P).\n"


def test_brackets_around_terms_may_be_left_out() -> None:
    assert read_process("P = a -> b -> P | c -> STOP.") == read_process("P = ((a -> (b -> P)) | (c -> (STOP))).")


# ---- mistakes


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there is no process here"),
        ("// nothing", "there is no process here"),
        ("P = (a -> P)", "`.` is missing behind the last definition"),
        ("P = (a -> P),", "a name is missing here"),
        ("P = (a -> Q).", "there is no process `Q`"),
        ("P = (a).", "there is no process `a`"),
        ("P = (a -> P[1]).", "`P` takes no values, and 1 stand here"),
        ("P = (a -> Q), Q[i:0..1] = (b(i) -> P).", "`Q` takes 1 value, and none stand here"),
        ("P = P.", "`P` leads back to itself without an action"),
        ("P = (a -> P | when (true) P).", "`P` leads back to itself without an action"),
        ("P[i:0..1] = (a(i) -> STOP).", "the process starts with `P`, and nothing says for which values"),
        ("P = (a -> P), P = (b -> P).", "`P` is defined twice"),
        ("P = STOP. P = STOP.", "there are two processes `P`"),
        ("P(N = 1, N = 2) = (a(N) -> P).", "there are two parameters `N`"),
        ("P = (a -> Q), Q(N = 1) = (a(N) -> P).", "only the first definition of a process has parameters like `N`"),
        ("P(N = 1) = (call(f, N:0..1) -> P).", "`N` has a value here already"),
        ("P = ({call(f, v:0..1), a} -> P).", "`v` would have a value after some of these actions only"),
        ("P = (when (1) a -> P).", "`1` is a number, and a truth value should stand here"),
        ("P = (a(1 + x) -> P).", "`x` stands where a number should"),
        ("P = (a(true == 1) -> P).", "`1` is a number, and a truth value should stand here"),
        ("P = (a(!1) -> P).", "`1` is a number, and a truth value should stand here"),
        ("P = (a(-true) -> P).", "`true` is a truth value, and a number should stand here"),
        ('P = (a(v:{1, "x"}) -> P).', '`"x"` is a text, and a number should stand here'),
        ("P = (a(v:0..true) -> P).", "`true` is a truth value, and a number should stand here"),
        ("P = (a -> Q[true]), Q[i:0..1] = (b(i) -> P).", "`true` is a truth value, and a number should stand here"),
        ("P = (throw(f) -> P).", "`throw` has one value, and none stand here"),
        ("P = (load(x, 1, 2) -> P).", "`load` has one value, and 2 stand here"),
        ("P = (return(f, 1, 2) -> P).", "a function returns one value at most, and 2 stand here"),
        ("P = (a(010) -> P).", "`010` is no number"),
        ("P = (a(0xg) -> P).", "`0xg` is no number"),
        (f"P = (a({'9' * 65}) -> P).", "a number has at most 64 digits"),
        ('P = (a("\\q") -> P).', "this text has an escape that means nothing"),
        ('P = (a("\\ud800") -> P).', "this text has an escape that means nothing"),
        ('P = ("" -> P).', "an event has a name"),
        ("a.b = STOP.", "`a.b` cannot be the name of a process: it is one word"),
        ("P = STOP.Q = STOP.", "`=` stands where `->`, `|`, `(`, `,` or `.` should"),
        ("P = (call(f, ?v) -> P).", "`?` means nothing in a process"),
        ("P = (a -> P) /* b", "this comment is not closed"),
        ("P = (call -> P).", "`->` stands where `(` should"),
        ("P = (return {$0 > 1} -> P).", "`>` stands where `==` should"),
        ("P = (a -> when (true) b -> P).", "`when` stands where a name or `(` should"),
        ("when = STOP.", "`when` stands where a name should"),
        ("P = (a || b).", "`||` stands where `->`, `|`, `(` or `)` should"),
    ],
)
def test_mistakes(text: str, message: str) -> None:
    assert message in problems(text)


def test_mistakes_are_said_at_once_and_in_order() -> None:
    text = "P = (call(x -> Q),\nQ = (a -> R | b - > P),\nR = (c -> P.\n"
    assert problems(text) == [
        "`->` stands where `)` or `,` should",
        "`-` stands where `->`, `|`, `(` or `)` should",
        "`->`, `|`, `(` or `)` is missing here",
    ]


def test_mistakes_have_places_and_advice() -> None:
    with pytest.raises(InputError) as caught:
        read_process("DOOR =\n  (call(open) -> OPEM),\nOPEN = (a -> DOOR).", file="door.fsp")
    (found,) = caught.value.diagnostics
    assert found.span == Span(Place("door.fsp", 2, 18), Place("door.fsp", 2, 22))
    assert found.help == "did you mean `OPEN`?"


def test_a_text_within_another_file_is_shown() -> None:
    with pytest.raises(InputError) as caught:
        read_process("P = (a -> Q).", "Door", span=Span.at("stateglass.toml", 4))
    assert render_diagnostics(caught.value.diagnostics) == (
        "stateglass.toml:4: error[process]: the process `Door`: there is no process `Q`\n"
        "  P = (a -> Q).\n"
        "            ^\n"
        "  help: there is `ERROR`, `P`, `STOP`"
    )


def test_there_is_an_end_to_what_is_said() -> None:
    messages = problems("P = (a -> P " + "".join(f"| a -> Q{i} " for i in range(50)) + ").")
    assert len(messages) == 21
    assert messages[-1] == "… and 30 more problems"


def test_what_is_too_large() -> None:
    assert problems("P = (" + "a -> " * 1000 + "P).") == ["this definition is too long or nested too deeply"]
    assert problems("P = " + "(" * 1000 + "STOP" + ")" * 1000 + ".") == [
        "this definition is too long or nested too deeply"
    ]
    assert problems("P = (a(" + "1 + " * 1000 + "1) -> P).") == ["this definition is too long or nested too deeply"]
    with pytest.raises(InputError, match="characters are read"):
        read_process("/" * (1 << 21))


def test_as_deep_as_it_goes() -> None:
    process = read_process("P = (" + "a -> " * 140 + "P).")
    assert read_process(process_text(process)) == process


# ---- warnings


def test_what_is_strange() -> None:
    assert warned("P(N = 1) = (a -> P).") == ["nothing uses the parameter `N`"]
    assert warned("P = (a -> Q[0]), Q[i:0..1] = (b -> P).") == ["`Q` does not use its parameter `i`"]
    assert warned("P = (a -> P), Q = (b -> Q).") == ["nothing leads to `Q`"]
    assert warned("P(count = 1) = (a(count) -> b(cuont) -> P).") == [
        "no variable is called `cuont` here, so that it stands for itself, as enumerators do"
    ]
    assert warned(DOOR) == []
    process = read_process("P(N = 1) = (a -> P).", file="p.fsp")
    assert [(d.severity, d.span.start) for d in process.warnings] == [(Severity.WARNING, Place("p.fsp", 1, 3))]


# ---- any process is printed so that it reads back, any text is answered


@settings(max_examples=100, deadline=None)
@given(processes())
def test_what_is_printed_reads_back(process: Process) -> None:
    again = read_process(process_text(process))
    assert again == process
    assert process_text(again) == process_text(process)


_PIECES = ["P", "Q", " = ", "(", ")", "[", "]", "{", "}", ",", ".", "..", " -> ", " | ", "when ", "call", "return",
           "throw(f, E)", "load(x, v:0..1)", "STOP", "ERROR", "0", "17", "i", ":", "bool", "true", '"x"', "$0 == ",
           "+", "-", "<", "&&", "!", "//", "/*", "*/", "\n", "#", "::", "(a -> P)", "P = (a -> P)."]  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=40) | st.lists(st.sampled_from(_PIECES), max_size=25).map("".join))
def test_any_text_is_answered(text: str) -> None:
    answered(text)


@settings(max_examples=100, deadline=None)
@given(processes(), st.integers(0, 400), st.integers(0, 5), st.sampled_from(_PIECES))
def test_mutated_processes_are_answered(process: Process, at: int, removed: int, inserted: str) -> None:
    text = process_text(process)
    answered(text[:at] + inserted + text[at + removed :])


def answered(text: str) -> None:
    try:
        found = read_processes(text, "X")
    except InputError as error:
        assert error.diagnostics
        assert all(d.message for d in error.diagnostics)
    else:
        for process in found:
            assert read_process(process_text(process)) == process

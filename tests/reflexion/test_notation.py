"""The notation of hypotheses: reading, printing, all mistakes at once and where they are, and any text whatever."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stateglass.program.tokens import KEYWORDS as C_KEYWORDS
from stateglass.program.tokens import misfits
from stateglass.reflexion import Hypothesis, Let, StateClaim, TransitionClaim, probes_of
from stateglass.reflexion.notation import load_machine, parse_machine, print_hypothesis, source_files
from stateglass.reflexion.notation.lines import KEYWORDS
from stateglass.reflexion.notation.reader import Reader
from stateglass.reflexion.validation import problems_of
from stateglass.source import InputError, Words

TIMER = """machine Timer of process_20ms in "timer.c"
  let done = t <= 0                    # mapping from the words of a design to the code
  assume t <= 1000                     # what the surroundings guarantee before each call
  initial state Running: t > 0
  state Expired: done
  Running -> Running when t > 1
  Running -> Expired when t == 1
  Expired -> Expired
"""


def said(text: str) -> list[str]:
    """Line, column and message of everything that is wrong with a machine."""
    with pytest.raises(InputError) as caught:
        parse_machine(text, "x.machine")
    return [f"{d.span.start.line}:{d.span.start.column} {d.message}" for d in caught.value.diagnostics]


def test_the_example_of_the_manual() -> None:
    assert parse_machine(TIMER, "x.machine") == Hypothesis(
        "Timer",
        "process_20ms",
        ("timer.c",),
        (Let("done", Words("t <= 0")),),
        (Words("t <= 1000"),),
        (StateClaim("Running", Words("t > 0"), initial=True), StateClaim("Expired", Words("done"))),
        (
            TransitionClaim("Running", "Running", Words("t > 1")),
            TransitionClaim("Running", "Expired", Words("t == 1")),
            TransitionClaim("Expired", "Expired"),
        ),
    )


def test_expressions_know_where_they_stand() -> None:
    [first, *_] = parse_machine(TIMER, "x.machine").transitions
    assert first.condition is not None
    assert (str(first.span), str(first.condition.span)) == ("x.machine:6:3", "x.machine:6:27")
    assert str(first.condition.span.end) == "x.machine:6:32"


def test_states_nest_by_indentation() -> None:
    machine = parse_machine("""
machine M of f
initial state On: power
    state Idle: speed == 0
    initial state Moving
        state Slow: speed < 3
        initial state Fast: speed >= 3
    On -> Off
state Off: !power
    state Deep: 1
""")
    assert [(s.name, s.parent) for s in machine.states] == [
        ("On", None),
        ("Idle", "On"),
        ("Moving", "On"),
        ("Slow", "Moving"),
        ("Fast", "Moving"),
        ("Off", None),
        ("Deep", "Off"),
    ]
    assert [s.name for s in machine.leaves] == ["On", "Idle", "Slow", "Fast", "Off", "Deep"]
    assert [s.name for s in machine.leaves_of("On")] == ["On", "Idle", "Slow", "Fast"]
    assert [s.name for s in machine.leaves_of("Moving")] == ["Slow", "Fast"]
    assert [s.name for s in machine.ancestors("Slow")] == ["Slow", "Moving", "On"]
    assert machine.initial is not None
    assert machine.initial.name == "Fast"


def test_an_expression_goes_on_while_a_bracket_is_open() -> None:
    machine = parse_machine("machine M of f\nstate A: (x > 0 # why\n   || y) && z\nA -> A when f(\n 1) priority 2\n")
    assert machine.states[0].condition == Words("(x > 0\n   || y) && z")
    assert machine.transitions[0] == TransitionClaim("A", "A", Words("f(\n 1)"), 2)


@pytest.mark.parametrize(
    ("line", "condition", "priority"),
    [
        ("A -> A", None, None),
        ("A -> A priority 3", None, 3),
        ("A -> A when priority == 3", "priority == 3", None),
        ("A -> A when x > priority priority 3", "x > priority", 3),
        ("A -> A when x->priority  priority 1 # no", "x->priority", 1),
        ("A -> A when s[0] == '#' || s == \"# priority 1\"", "s[0] == '#' || s == \"# priority 1\"", None),
        ("A->A when a ? b : c->d", "a ? b : c->d", None),
    ],
)
def test_transitions(line: str, condition: str | None, priority: int | None) -> None:
    [found] = parse_machine(f"machine M of f\nstate A: 1\n{line}\n").transitions
    assert found == TransitionClaim("A", "A", None if condition is None else Words(condition), priority)


def test_names_in_quotes() -> None:
    machine = parse_machine(
        'machine "a b" of f@"my file.c" in "x y.c", "z.c"\nstate "say \\"hi\\"": 1\nstate "when": 2\n'
    )
    assert (machine.name, machine.function, machine.files) == ("a b", "f@my file.c", ("x y.c", "z.c"))
    assert [s.name for s in machine.states] == ['say "hi"', "when"]


def test_all_mistakes_at_once() -> None:
    assert said("""machine Timer process_20ms in "timer.c"
let = 3
foo
let a = b
let b = a + c.a
state A: /* no */ 3
 state B: (x
   state C: x)
state D: 1 ; 2
  state E: ]
A => B
A -> B wen x
A -> state
A -> B when
A -> X
state "open: 3
assume
A -> B priority 0x
""") == [
        "1:15 `process_20ms` stands where `of` should",
        "2:5 `=` stands where a name should",
        "3:4 `->` is missing here",
        "4:5 `a` is defined by itself",
        "6:10 `/*` is not understood in an expression",
        "7:11 `)` is missing for this `(`",
        "8:14 `)` closes nothing",
        "9:12 an expression has no `;`",
        "10:12 `]` closes nothing",
        "11:3 `=` stands where `->` should",
        "12:8 `wen` stands where `priority`, `when` or the end of the line should",
        "13:6 `state` stands where a name should",
        "14:12 an expression is missing here",
        '16:7 the closing " is missing',
        "17:7 an expression is missing here",
        "18:18 `x` stands where the end of the line should",
    ]


def test_what_does_not_fit_together() -> None:
    assert said("""machine M of f
let a = 1
let a = 2
let int = 3
initial state A: 1
state A: 2
initial state B: 1
state Empty
state other: 1
A -> Bb
A -> error
error -> A
other -> A
A -> B when x priority 1
A -> A when y priority 1
B -> A priority 1
B -> B when x priority 2
B -> B when x priority 0
""") == [
        "3:5 there are two words `a`",
        "4:5 `int` is a word of C and cannot be given a meaning",
        "6:7 there are two states `A`",
        "7:15 the machine has two initial states",
        "8:7 the state `Empty` has neither a condition nor states inside",
        "9:7 `other` cannot be declared: it stands for whatever no state covers",
        "10:1 there is no state `Bb`",
        "12:1 no transition leaves `error`: the run has ended there",
        "15:1 two transitions from `A` have the priority 1",
        "16:1 a transition without a condition leaves nothing to those of lower priority: x.machine:17:1",
        "18:1 a priority is a number from 1, which is the highest, to 1000000",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "1:1 a machine begins with its name and function"),
        ("state A: 1", "1:1 a machine begins with its name and function"),
        ("machine M of f", "1:1 the machine has no state"),
        ("machine M of f\nmachine N of g\nstate A: 1", "2:1 a file has one machine"),
        ("state A: 1\nmachine M of f", "2:1 the machine's own line stands before all others"),
        ("machine M of f\n  state A: 1\n state B: 1", "3:2 the indentation fits no state before this one"),
        ("machine M of f\n  state A: 1\n\tstate B: 1", "3:2 the indentation fits no state before this one"),
        (
            "machine M of f\nstate A: 1\n    state B: 1\n  state C: 1",
            "4:3 the indentation fits no state before this one",
        ),
        ("machine M of f\nstate A: 1\nA -> A priority 99999999999", "3:17 this number is too large"),
        ('machine M of f\nstate "": 1', "2:7 a text in quotes is printable and not empty"),
        ("machine M of f\nlet a = a\nstate A: a", "2:5 `a` is defined by itself"),
        ("machine M of f\nstate A.b: 1", "2:8 `.` stands where `:` or the end of the line should"),
        ("machine M of f\nstate A: 1\nA.b -> A", "3:1 a name with a point stands in quotes"),
    ],
)
def test_single_mistakes(text: str, message: str) -> None:
    assert message in said(text)


def test_words_that_use_each_other_twice_are_no_cycle() -> None:
    lets = "".join(f"let w{n} = w{n + 1} + w{n + 1}\n" for n in range(60))
    assert len(parse_machine(f"machine M of f\n{lets}let w60 = x\nstate A: w0").lets) == 61


def test_files_are_beside_the_machine(tmp_path: Path) -> None:
    path = tmp_path / "sub" / "x.machine"
    path.parent.mkdir()
    path.write_bytes(b'\xef\xbb\xbfmachine M of f in "../x.c"\r\nstate A: 1\r\n')
    assert source_files(load_machine(str(path))) == (str(path.parent / "../x.c"),)


@pytest.mark.parametrize(("data", "message"), [(b"\xff", "byte 0xFF is not UTF-8"), (None, "there is no such file")])
def test_files_that_cannot_be_read(tmp_path: Path, data: bytes | None, message: str) -> None:
    path = tmp_path / "x.machine"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(InputError, match=message):
        load_machine(str(path))
    with pytest.raises(InputError, match="this is a folder"):
        load_machine(str(tmp_path))


# ---- any hypothesis is printed so that it reads back, any text is answered

identifiers = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,5}", fullmatch=True).filter(lambda n: n not in C_KEYWORDS)
names = (identifiers | st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=6)).filter(
    lambda n: n not in ("other", "error") and n.isprintable()
)
atoms = identifiers | st.sampled_from(["1", "x->priority", 'f("# (")', "s[0] == '\\''", "priority", "f::x", "a@b.c"])
expressions = st.recursive(
    atoms,
    lambda inner: (
        st.builds("({} {} {})".format, inner, st.sampled_from(["&&", "||\n  ", "==", "->*"]), inner)
        | st.builds("{} > {}".format, inner, inner)
    ),
    max_leaves=4,
).map(Words)
maybe = st.none() | expressions


@st.composite
def hypotheses(draw: st.DrawFn) -> Hypothesis:
    chosen = draw(st.lists(names, min_size=1, max_size=6, unique=True))
    parents: list[str | None] = []
    stack: list[str] = []
    for name in chosen:
        del stack[draw(st.integers(0, len(stack))) :]
        parents.append(stack[-1] if stack else None)
        stack.append(name)
    states = tuple(
        StateClaim(name, draw(expressions if name not in parents else maybe), parent)
        for name, parent in zip(chosen, parents, strict=True)
    )
    ends = st.sampled_from([*chosen, "other"])
    transitions = st.builds(TransitionClaim, ends, ends, maybe)
    ordered = st.builds(TransitionClaim, ends, ends, expressions, st.integers(1, 9))
    words = draw(st.lists(identifiers.filter(lambda n: n not in KEYWORDS), max_size=3, unique=True))
    hypothesis = Hypothesis(
        draw(names),
        draw(identifiers.filter(lambda n: n not in KEYWORDS)) + draw(st.sampled_from(["", "@a.c", "@a b.c"])),
        tuple(draw(st.lists(names, max_size=2))),
        tuple(Let(word, draw(expressions)) for word in words),
        tuple(draw(st.lists(expressions, max_size=2))),
        states,
        tuple(draw(st.lists(transitions, max_size=4))) + tuple(draw(st.lists(ordered, max_size=1))),
    )
    return hypothesis if not problems_of(hypothesis) else Hypothesis("M", "f", states=(StateClaim("A", Words("1")),))


@given(hypotheses())
def test_printed_hypotheses_read_back(hypothesis: Hypothesis) -> None:
    assert parse_machine(print_hypothesis(hypothesis)) == hypothesis


symbols = ["A", "B", "x", " ", "  ", "\n", "\n  ", "\t", "->", ":", "=", "(", ")", '"', "'", "#", "1", ",", "@", "\\"]
pieces = st.sampled_from([*sorted(KEYWORDS), *symbols])


@given(st.text() | st.lists(pieces, max_size=60).map("".join) | st.lists(pieces, max_size=60).map(" ".join))
def test_any_text_is_read_or_refused(text: str) -> None:
    for candidate in (text, f"machine M of f\nstate A: 1\n{text}"):
        try:
            machine = parse_machine(candidate)
        except InputError as error:
            assert error.diagnostics
            assert all(d.message and d.span.line for d in error.diagnostics)
        else:
            assert parse_machine(print_hypothesis(machine)) == machine
            conditions = [s.condition for s in machine.states] + [t.condition for t in machine.transitions]
            assert not any(misfits(c.text) for c in conditions if c is not None)


@given(st.text() | st.lists(pieces, max_size=60).map("".join) | st.lists(pieces, max_size=60).map(" ".join))
def test_the_code_can_be_asked_about_what_was_understood_of_any_text(text: str) -> None:
    sound = Reader(f"machine M of f\nlet A = B (\nlet B = A\n{text}", "x").sound
    for probe in probes_of(sound):
        assert not misfits(probe.words.text)
        names = [d.name for d in probe.definitions]
        assert len(set(names)) == len(names)
        assert all(d.words.text == "1" for d in probe.definitions)


def test_what_is_wrong_alone_is_not_asked_about() -> None:
    reader = Reader("machine M of f\nlet a = x > (\nlet b = y\nstate S: a && b\nstate T: z)\nS -> T when b\n", "x")
    assert len(reader.problems) == 2
    probes = probes_of(reader.sound)
    assert [p.words.text for p in probes] == ["a && b", "b"]
    assert [(d.name, d.words.text) for d in probes[0].definitions] == [("a", "1"), ("b", "y")]


@pytest.mark.parametrize(
    ("first", "second", "problems"),
    [
        ("On -> Off when x priority 1", "Low -> High when y priority 1", 1),
        ("On -> Off when x priority 1", "Low -> Off when y priority 1", 0),  # it does not matter which one
        ("On -> Off when x priority 1", "Low -> High when y priority 2", 0),
        ("On -> Off when x priority 1", "Off -> On when y priority 1", 0),
        ("Low -> Off when x priority 1", "High -> Low when y priority 1", 0),
        ("On -> Off when x priority 1", "Low -> High when y", 0),
    ],
)
def test_a_priority_is_that_of_one_of_those_that_apply(first: str, second: str, problems: int) -> None:
    states = "state On: a\n  state Low: b\n  state High: c\nstate Off: d\n"
    for one, other in ((first, second), (second, first)):
        reader = Reader(f"machine M of f\n{states}{one}\n{other}\n", "x")
        assert reader.problems == []
        assert len(problems_of(reader.hypothesis)) == problems


def test_reading_ends_at_limits() -> None:
    deep = "".join(f"{' ' * n}state S{n}: 1\n" for n in range(60))
    assert "52:51 states nest at most 50 deep" in said(f"machine M of f\n{deep}")
    assert said("foo\n" * 5000)[-1] == "101:1 the rest was not read: there are too many problems"
    assert len(said("machine M of f\n" + "state A: (\n" * 5000)) < 300

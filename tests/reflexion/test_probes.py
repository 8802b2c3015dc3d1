"""Expressions from outside the code: what they become, and what is said about those that are wrong."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stateglass.frontend import Reading, read_program
from stateglass.program import BOOL, Branch
from stateglass.program.printer import print_function
from stateglass.program.probes import Probe
from stateglass.reflexion import probes_of
from stateglass.reflexion.notation import load_machine, source_files
from stateglass.source import InputError, Place, Span, Words, render_diagnostics
from tests.cases import TARGET, Case, load_cases

CASES = load_cases("probes")


def read(machine: str) -> Reading:
    hypothesis = load_machine(machine)
    return read_program(source_files(hypothesis), target=TARGET, probes=probes_of(hypothesis))


def understood(reading: Reading) -> str:
    """The functions that probes became, and what clang warns of."""
    functions = [f for name, f in reading.program.functions.items() if name.startswith("%")]
    printed = [line for f in functions for line in print_function(f)]
    return "\n".join([*printed, *([render_diagnostics(reading.warnings)] if reading.warnings else [])])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_probe(case: Case, here: Path, update_cases: bool) -> None:
    case.write_files(here)
    machine = f"{case.name}.machine"
    (here / machine).write_text(case.block("machine"), encoding="utf-8")
    try:
        case.check("program", understood(read(machine)), update_cases)
    except InputError as error:
        case.check("report", render_diagnostics(error.diagnostics), update_cases)


def test_a_program_is_the_same_with_and_without_probes(here: Path) -> None:
    (here / "x.c").write_text("static int s; int f(int a) { static int t; t += a; return s += t; }", encoding="utf-8")
    (here / "x.machine").write_text('machine M of f in "x.c"\nstate A: s == t\n', encoding="utf-8")
    probed, plain = read("x.machine").program, read_program(("x.c",), target=TARGET).program
    assert {n: f for n, f in probed.functions.items() if n != "%state.0"} == plain.functions
    assert (probed.variables, probed.declarations) == (plain.variables, plain.declarations)
    assert probed.own_functions == ["f"]


def test_places_in_the_program_are_those_of_the_machine(here: Path) -> None:
    (here / "x.c").write_text("int s; void f(void) { s++; }", encoding="utf-8")
    text = 'machine M of f in "x.c"\n  let big = s > 100\n  state A: (big\n     || s < -1)\n'
    (here / "x.machine").write_text(text, encoding="utf-8")
    function = read("x.machine").program.functions["%state.0"]
    conditions = [b.terminator.condition for b in function.blocks if isinstance(b.terminator, Branch)]
    assert str(function.span) == "x.machine:3:12"
    assert [str(c.span) for c in conditions] == ["x.machine:2:13", "x.machine:4:9"]
    assert {str(b.terminator.span) for b in function.blocks} == {"x.machine:3:12", "x.machine:3:13", "x.machine:4:9"}


def test_a_file_need_not_end_with_its_line(here: Path) -> None:
    for text in ("int s; void f(void) { s++; }", "int s; void f(void) { s++; } // \\\n"):
        (here / "x.c").write_text(text, encoding="utf-8")
        (here / "x.machine").write_text('machine M of f in "x.c"\nstate A: s == 1\n', encoding="utf-8")
        assert "%state.0" in read("x.machine").program.functions


def test_files_in_other_encodings_keep_their_places(here: Path) -> None:
    (here / "x.c").write_bytes(b"int s; // \xe9\xe8\nvoid f(void) { s++; }\n")
    (here / "x.machine").write_text('machine M of f in "x.c"\nstate A: s == 1 && "é"[0]\n', encoding="utf-8")
    function = read("x.machine").program.functions["%state.0"]
    ends = {str(block.terminator.span.end) for block in function.blocks}
    assert "x.machine:2:26" in ends


def test_a_probe_does_not_reach_beyond_its_brackets(here: Path) -> None:
    (here / "x.c").write_text("int s; void f(void) { s++; }", encoding="utf-8")
    for text in ("1); } int g(void) { return (1", "1 // x", "1 /* x", "s %: 1", "({ s; })"):
        (here / "x.machine").write_text(f'machine M of f in "x.c"\nstate A: {text}\n', encoding="utf-8")
        with pytest.raises(InputError):
            read("x.machine")


def test_what_clang_warns_of_is_said_if_warnings_are_wanted(here: Path) -> None:
    (here / "x.c").write_text('const char *s; int f(void) { return s == "on"; }\n', encoding="utf-8")
    (here / "w.machine").write_text('machine M of f in "x.c"\n  state A: s == "off"\n', encoding="utf-8")
    hypothesis = load_machine("w.machine")
    reading = read_program(("x.c",), ("-Wstring-compare",), target=TARGET, probes=probes_of(hypothesis))
    assert [str(w.span) for w in reading.warnings] == ["x.c:1:39", "w.machine:2:14"]


# ---- any text

CODE = """enum mode { OFF, ON };
struct pair { int a; struct pair *next; };
static struct pair one;
int count, list[3];
static int twice(int x) { return 2 * x; }
int f(struct pair *p, int in) { static enum mode mode; one.a = twice(in); mode = ON; return p->a; }
"""
PIECES = [
    *("p", "in", "one", "count", "list", "mode", "ON", "f::mode", "::count", "g::x", "count@x.c", "twice", "a", "next"),
    *(
        "nothing",
        "1",
        "0x",
        "1.5e",
        "'a'",
        '"b"',
        "'",
        '"',
        "L'x'",
        "struct pair",
        "sizeof",
        "int",
        "->",
        ".",
        "=",
        "==",
    ),
    *("++", "--", "+", "-", "*", "&", "&&", "!", "~", "<", "(", ")", "[", "]", "{", "}", ",", "?", ":", ";", "#", "\\"),
    *("//", "/*", "%:", "@", "\n", " ", "__LINE__", "__func__", "({", "})", "é", "\0", "$"),
]
soup = st.lists(st.sampled_from(PIECES), max_size=12).map("".join) | st.lists(st.sampled_from(PIECES)).map(" ".join)


@settings(max_examples=60, deadline=None)
@given(st.lists(soup, min_size=10, max_size=10), st.booleans())
def test_any_expression_is_read_or_refused(texts: list[str], is_state: bool) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "x.c"
        path.write_text(CODE, encoding="utf-8")
        for probes in ([_probe(t, n, is_state) for n, t in enumerate(texts)], [_probe(texts[0], 0, is_state)]):
            try:
                program = read_program((str(path),), target=TARGET, probes=probes).program
            except InputError as error:
                assert error.diagnostics
                assert all(d.span.file == "x.machine" for d in error.diagnostics)
            else:
                assert all(program.functions[p.name].result == BOOL for p in probes)


def _probe(text: str, number: int, is_state: bool) -> Probe:
    span = Span(Place("x.machine", number + 1, 10), Place("x.machine", number + 1, 10 + len(text)))
    return Probe(f"%p.{number}", Words(text, span), "f", (), not is_state, Span.at("x.machine", 1, 14))

"""CCL as a whole: what is printed reads back, results go in and out, and no text does any harm."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from stateglass.assemblies.ccl import print_design, read_design, written_back
from stateglass.assemblies.claims import is_claim
from stateglass.assemblies.validation import problems_of
from stateglass.design import Design
from stateglass.operations.designs import HowChecked, check_design, with_results
from stateglass.source import Code, InputError, small_text
from tests.assemblies.texts import random_design, without_places

STORE = Path(__file__).parents[2] / "examples" / "store" / "store.ccl"
HASTY = STORE.parents[1] / "robot_cell" / "hasty.ccl"
TOKEN = re.compile(r'"[^"\n]*"|//[^\n]*|\w+|\s+|[-~+]>|\S')


@pytest.mark.parametrize("seed", range(20))
def test_a_design_that_is_printed_reads_back_as_the_same(seed: int) -> None:
    design = random_design(Random(seed))
    assert problems_of(design) == ()
    text = print_design(design)
    assert without_places(read_design(text)) == design


def test_results_are_stored_and_everything_else_is_kept() -> None:
    text = STORE.read_text(encoding="utf-8").replace("}\n}\n", "/* a } */ } // b\n}\n")
    design = read_design(text)
    results = {
        "store.S.Claim3": [("result", "violated"), ("run", 'a "b" \\ c\nd')],
        "store.S.Claim6": [("result", "no")],
    }
    written = written_back(text, design, results)
    again = read_design(written)
    stored = {a.qualified: list(a.of_result) for a in again.annotations if a.of_result}
    assert stored == results
    assert written_back(written, again, results) == written
    assert written_back(written, again, dict.fromkeys(results, ())) == text
    assert "/* a } */ } // b" in written


def test_results_are_stored_behind_claims_of_several_texts_and_lines() -> None:
    text = """component c() {
    int n = 0;
    sink asynch go();
    annotate c {"comfort", const string A = "G([n >= 0]"
        /* and */ " & [n < 3])" /* so far */ } annotate c {"comfort", const string B = "no-deadlock"};
    annotate c {"comfort", const string C = "G([n >= 0] =>
                                               F ^go)"}
    annotate go {"comfort", const int priority = 1}
}
"""
    design = read_design(text)
    claims = [a.qualified for a in design.annotations if is_claim(a)]
    written = written_back(text, design, {name: [("result", name)] for name in claims})
    again = read_design(written)
    assert {a.qualified: a.of_result for a in again.annotations if is_claim(a)} == {c: (("result", c),) for c in claims}
    assert [a.value for a in again.annotations] == [a.value for a in design.annotations]
    assert len(claims) == 3


@pytest.mark.parametrize("sign", ["@", "(", "{", "}"])
def test_one_mistake_of_writing_is_no_mistake_of_meaning(sign: str) -> None:
    text = HASTY.read_text(encoding="utf-8")
    starts = [match.start() for match in TOKEN.finditer(text) if match[0].strip() and not match[0].startswith("//")]
    for start in starts[3::11]:
        with pytest.raises(InputError) as error:
            read_design(f"{text[:start]} {sign} {text[start:]}")
        codes = {diagnostic.code for diagnostic in error.value.diagnostics}
        assert codes <= {Code.DESIGN, Code.CLAIM}, (start, error.value.diagnostics)
        assert len(error.value.diagnostics) <= 12


def test_states_of_what_there_is_not_are_no_mistakes_of_their_own() -> None:
    text = """component c() { sink asynch in(); threaded react R(in) { start -> on {} on -> on { trigger ^in(); } }
    annotate R {"comfort", const string A = "G [Q.state == on] & F [off != Q.state]"} }"""
    with pytest.raises(InputError) as refused:
        read_design(text)
    assert [problem.message for problem in refused.value.diagnostics] == ["there is no variable `Q.state`"]


def test_what_cannot_be_read_hides_no_wrong_connection() -> None:
    text = """component s() { source asynch out(int x);
    threaded react S(out) { start -> on {} on -> on { action out(3); } } }
    component r() { sink asynch in(bool x); threaded react R(in) { start -> on {} on -> on { trigger ^in(); } } }
    assembly t() { s p(); r q(); p:out ~> q:in; }"""
    with pytest.raises(InputError) as refused:
        read_design(text)
    messages = [problem.message for problem in refused.value.diagnostics]
    assert messages[0].startswith("`(` stands where")
    assert messages[1] == "`p:out` has `consume int x`, `q:in` has `consume bool x`"


def test_comments_between_results_stay() -> None:
    text = """component c() { sink asynch go();
    threaded react R(go) { start -> on {} on -> on { trigger ^go(); } }
    annotate R {"comfort", const string One = "G ^go" // why
        , const string result = "holds" /* so far */, const string run = "" // end
    } }"""
    written = written_back(text, read_design(text), {"c.R.One": [("result", "violated")]})
    assert all(comment in written for comment in ("// why\n", "/* so far */", "// end\n"))
    again = read_design(written)
    assert again.annotations[0].of_result == (("result", "violated"),)
    assert written_back(written, again, {"c.R.One": [("result", "violated")]}) == written


def outcome(text: str) -> Design | InputError:
    """What becomes of a text: nothing but a design or an error, and the errors stand in it."""
    try:
        return read_design(text, "soup.ccl")
    except InputError as error:
        last = text.count("\n") + 1
        assert error.diagnostics
        assert all(d.span.file == "soup.ccl" and 1 <= d.span.line <= last for d in error.diagnostics)
        return error


@pytest.mark.parametrize("seed", range(12))
def test_texts_with_mistakes_are_designs_or_errors(seed: int) -> None:
    random = Random(seed)
    tokens = TOKEN.findall(print_design(random_design(random)))
    for _ in range(10):
        changed = list(tokens)
        for _ in range(random.choice((1, 2, 30))):
            at = random.randrange(len(changed))
            match random.randrange(3):
                case 0:
                    del changed[at : at + random.choice((1, 1, 20))]
                case 1:
                    changed.insert(at, random.choice(tokens))
                case _:
                    changed[at] = random.choice(tokens)
        outcome("".join(changed))


@pytest.mark.parametrize("seed", range(12))
def test_texts_of_anything_are_errors(seed: int) -> None:
    random = Random(seed)
    words = [*TOKEN.findall(STORE.read_text(encoding="utf-8")), "\0", "é", "'", '"', "/*", "0x", "9" * 90, "²", "\\"]
    assert isinstance(outcome(" ".join(random.choices(words, k=random.randrange(300)))), InputError)


DEEP = 3000
NESTED = {
    "braces": "{" * DEEP,
    "blocks": "component c() { react R(a) { state s { entry " + "{" * DEEP + "}" * DEEP + " } } }",
    "parentheses": "component c() { int x = " + "(" * DEEP + "1" + ")" * DEEP + "; }",
    "signs": "component c() { int x = " + "-" * DEEP + "1; }",
    "sums": "component c() { int x = 1" + " + 1" * DEEP + "; }",
    "choices": "component c() { react R(a) { state s { entry " + "if (1) ; else " * DEEP + "; } } }",
    "components": "component c() { " * DEEP,
    "mistakes": "component c() { int ; }\n" * DEEP,
    "annotations": 'annotate c {"' * DEEP,
    "states": "component c() { sink synch a(); react R(a) { start -> s0 {}\n"
    + "".join(f"s{n} -> t{n} {{}}\n" for n in range(DEEP)),
    "names": "component c() { sink synch a(); react R(a) { state s { entry {"
    + "".join(f"x{n} = y{n};" for n in range(DEEP))
    + "} } start -> s {} } }",
    "pins": "component c() {" + "".join(f"sink synch a{n}(b c); react R{n}(a{n}) {{}}\n" for n in range(DEEP)) + "}",
    "half a text": '"' + "};" * DEEP + "x",
    "comments": "/*" * DEEP,
}


@pytest.mark.parametrize("what", NESTED)
def test_deep_and_long_texts_are_refused_in_time(what: str) -> None:
    assert isinstance(outcome(NESTED[what]), InputError)


def test_many_statements_are_no_problem() -> None:
    lines = "".join(f"            n = n + {i};\n" for i in range(2000))
    text = "component c() {\n sink synch a();\n int n = 0;\n react R(a) {\n start -> s {}\n state s { entry {\n"
    assert isinstance(outcome(f"{text}{lines}}} }}\n s -> s {{ trigger ^a(); action $a(); }}\n}} }}\n"), Design)


def test_too_much_text_is_refused() -> None:
    with pytest.raises(InputError, match="at most 1,048,576 characters"):
        read_design(" " * (1 << 20) + "x")


SEVERAL = """
component c() {
    int x = 0;
    sink asynch go(int n);
    threaded react R(go) { start -> a {} a -> a { trigger ^go(n); action x = 1 - x; } }
annotate R {"comfort", const string A = "G [x == 0]"}
annotate R {"comfort", const string B = "G [x"
   " <= 1]"  /* why not } */ , const string C="F [x == 2]", const int queue = 3
   }; annotate go{"comfort",const string values="n: 0..1"}
    annotate R {"scheduling", const int priority = 7, const string A = "none of ours"}
    annotate go {"data", const string values = "all", const int queue = 1}
\tannotate c {"comfort", const string run = "no-deadlock"}
}
"""


def test_each_constant_is_a_claim_or_a_setting_and_those_for_others_are_neither(tmp_path: Path) -> None:
    design = read_design(SEVERAL)
    assert [a.name for a in design.annotations if is_claim(a)] == ["A", "B", "C", "run"]
    assert design.annotated("c", "R", "queue") == 3
    assert design.annotated("c", "R", "priority") is None
    assert design.annotated("c", "go", "values") == "n: 0..1"
    file, out, first, written = tmp_path / "several.ccl", tmp_path / "out.ccl", b"", b""
    file.write_bytes(b"\xef\xbb\xbf" + SEVERAL.replace("\n", "\r\n").encode())
    for path in (file, out):
        design = read_design(small_text(str(path), "a design", Code.DESIGN, 1 << 20))
        found = check_design(design, HowChecked())
        pairs = zip(found[0].asked, found[0].checked, strict=True)
        verdicts = {asked.annotation: checked.answer.verdict.value for asked, checked in pairs if asked.annotation}
        assert verdicts == {"c.R.A": "violated", "c.R.B": "holds", "c.R.C": "violated", "c.run": "holds"}
        out.write_text(with_results(str(path), design, found), encoding="utf-8", newline="")
        written = out.read_bytes()
        assert written.startswith(b"\xef\xbb\xbf")
        assert written.count(b"\r\n") == written.count(b"\n")
        again = read_design(small_text(str(out), "a design", Code.DESIGN, 1 << 20))
        assert {a.qualified: dict(a.of_result)["result"] for a in again.annotations if is_claim(a)} == verdicts
        assert written == first or path == file
        first = written
    assert b"/* why not } */ , const string C" in written
    assert b'"none of ours"}' in written

"""Names that a model does not have are mistakes, and told all at once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from stateglass.logic.reading import read_claim
from stateglass.logic.vocabulary import Vocabulary, check_words, unknown_words, unmet_events
from stateglass.source import InputError, render_diagnostics

LABELS = frozenset(("call(open, 3)", "return(open, 1)", "tick", "lock(2)"))
ERRORS = frozenset(("error(overflow)", "error(bounds)"))
VOCABULARY = Vocabulary(
    LABELS,
    frozenset(("level", "mode", "ON", "OFF")),
    lambda pattern: any(label == pattern or label.partition("(")[0] == pattern for label in LABELS | ERRORS),
    ERRORS,
)


def told(text: str) -> str:
    return render_diagnostics(unknown_words(read_claim(text), VOCABULARY))


@pytest.mark.parametrize(
    "text",
    [
        "G([level > 3 && mode == ON] => F call)",
        "ctl: AG(tick => AF return(open, 1))",
        "`tick` never happens after [mode == OFF]",
        "assume fair(tick): F lock",
        # What no run does may be worth asking.
        "G !error & F exit(0) & G !error(overflow) & F store",
        "G !exit(-1) & G !exit(*)",
        "`*` happens",
        'mu: [true*."call(open, 3)"]<tau.error(bounds)>val(level == 1)',
        "test: when [mode == ON]: call(open, 7) return(open, 0) tick lock(9)",
        "no-error",
    ],
)
def test_known_names(text: str) -> None:
    assert told(text) == ""


@pytest.mark.parametrize(
    ("text", "name", "advice"),
    [
        ("G [levle > 3]", "no proposition or enumerator `levle`", "did you mean `level`?"),
        ("G [mode == OF]", "no proposition or enumerator `OF`", "did you mean `OFF`"),
        ("F call(opne, 3)", "no event `call(opne, 3)`", "did you mean `call(open, 3)`"),
        ("G !rises(level > 3)", "no event `rises(level > 3)`", "`rises` is for scenarios"),
        ("`tock` follows `tick`", "no event `tock`", "did you mean"),
        ("assume strong fair(tikc): F tick", "no event `tikc`", "did you mean `tick`"),
        ("G !open", "no event `open`", "did you mean `call(open, *)`?"),
        ("F open(3)", "no event `open(3)`", "did you mean `call(open, 3)`?"),
        ("mu: <open>true", "no label `open`", "did you mean `call(open, *)`?"),
        ("mu: <lock>true", "no label `lock`", "there is `lock(2)`; `lock(*)` is all of them"),
        ("mu: <call>true", "no label `call`", "there is `call(open, 3)`; `call(*)` is all of them"),
        ("mu: <call(open)>true", "no label `call(open)`", "did you mean `call(open, 3)`?"),
        ("mu: <cal(open, *)>true", "no event `cal(open, *)`", "did you mean `call(open, 3)`?"),
        ("test: when [stable]: tick", "no proposition or enumerator `stable`", "only models of code say"),
        ("mu: <error>true", "no label `error`", ""),
        ("G !error(bound)", "no event `error(bound)`", "did you mean `error(bounds)`?"),
        ("ctl: AG !error(overlfow)", "no event `error(overlfow)`", "did you mean `error(overflow)`"),
        ('mu: [true*."error(bound)"]false', "no label `error(bound)`", "did you mean `error(bounds)`?"),
        ("`error(bound)` never happens", "no event `error(bound)`", "did you mean `error(bounds)`?"),
        ("assume fair(error(bound)): F tick", "no event `error(bound)`", "did you mean `error(bounds)`?"),
        ("test: error(bound)", "no event like `error(bound)`", "did you mean `error(bounds)`?"),
        ("G !exit(FAILURE)", "no event `exit(FAILURE)`", ""),
        ("mu: <exit(x)>true", "no label `exit(x)`", ""),
        ("mu: <call(close, *)>val(levle)", "no event `call(close, *)`", ""),
        ("test: when [mdoe]: call(close)", "no event like `call(close)`", ""),
    ],
)
def test_unknown_names(text: str, name: str, advice: str) -> None:
    assert name in told(text)
    assert advice in told(text)


def test_all_claims_are_told_at_once_with_their_places() -> None:
    claims = [read_claim("G [a] & F b & [a]", "x.claims", 3, 5), read_claim("[level] U b", "x.claims", 4, 1)]
    with pytest.raises(InputError) as caught:
        check_words(claims, VOCABULARY)
    assert [str(d.span) for d in caught.value.diagnostics] == ["x.claims:3:8", "x.claims:3:15", "x.claims:4:11"]


def test_events_of_recorded_tests_have_their_places() -> None:
    claim = read_claim("test: tick call(clsoe)\n  tick tock", "x.claims", 3, 5)
    assert [str(d.span) for d in unknown_words(claim, VOCABULARY)] == ["x.claims:3:16", "x.claims:4:8"]
    assert "\n  test: tick tock\n             ^^^^\n" in told("test: tick tock")


def test_what_a_partial_model_has_not_met_is_no_mistake() -> None:
    partial = replace(VOCABULARY, is_partial=True)
    claim = read_claim("G(tikc => F [mode == ON])")
    assert unknown_words(claim, partial) == ()
    assert unmet_events(claim, partial) == ("No event `tikc` was met in what was explored. Did you mean `tick`?",)
    assert unmet_events(claim, VOCABULARY) == ()
    assert "Did you mean `error(bounds)`?" in unmet_events(read_claim("G !error(bound)"), partial)[0]
    assert unmet_events(read_claim("mu: <cal(open)>true"), partial)[0].endswith("Did you mean `call(open, 3)`?")
    # All states have the same propositions, so that these are known.
    assert len(unknown_words(read_claim("G [mdoe == ON]"), partial)) == 1


def test_names_are_offered_as_they_are_written() -> None:
    pointers = replace(VOCABULARY, names=frozenset(("p", "null", "&buffer")))
    [problem] = unknown_words(read_claim("G [p == NULL]"), pointers)
    assert problem.help == "did you mean `null`?"
    [problem] = unknown_words(read_claim("G [xyz == 1]"), pointers)
    assert problem.help == 'there is `null`, `p`, `"&buffer"`'
    assert not unknown_words(read_claim('G [p == "&buffer" || p == `&buffer`]'), pointers)
    for text in ("[p == &buffer]", "[&buffer]", "[(&buffer) == p]"):
        with pytest.raises(InputError) as caught:
            read_claim(f"G {text}")
        assert caught.value.diagnostics[0].help == 'an address goes by its text, as in p == "&buffer"'
    with pytest.raises(InputError) as caught:
        read_claim("G [x & y z]")
    assert "address" not in caught.value.diagnostics[0].help


def test_deep_claims() -> None:
    assert "no event `p`" in told("!" * 10_000 + "p")

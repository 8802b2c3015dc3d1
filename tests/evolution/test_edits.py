"""Edits: the notation, what each does to a model, and the structure that comes of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stateglass.cli.exits import Exit
from stateglass.evolution.edits import edited, read_edits, structure_of_edits
from stateglass.evolution.independence import dependence
from stateglass.evolution.structure import Kind, Structure
from stateglass.formats import read_model, write_model
from stateglass.model import Model, ModelBuilder
from stateglass.source import InputError
from tests.cli.running import stateglass
from tests.evolution.models import DOMAINS, canonical, column, models, rows, valuation
from tests.evolution.taking_out import malformed, new_model, old_model


def lift() -> Model:
    """Two floors; the cabin goes up and down."""
    builder = ModelBuilder()
    builder.add(0, "call(go, 2)", 1)
    builder.add(1, "call(go, 1)", 0)
    return builder.build(2, propositions=[column("count", ["0", "1"]), column("on", ["true", "true"])])


def changed(text: str, model: Model | None = None) -> Model:
    return edited(model or lift(), read_edits(text, "x.edits")).new


def steps(model: Model) -> set[tuple[tuple[str, ...], str, tuple[str, ...]]]:
    """Transitions between values."""
    return {
        (tuple(model.valuation(s).values()), label, tuple(model.valuation(t).values())) for s, label, t in rows(model)
    }


def test_a_new_variable_gives_versions_of_states() -> None:
    model = changed("variable service: false, true\n")
    assert model.states == 4
    assert model.valuation(model.initial) == {"count": "0", "on": "true", "service": "false"}
    assert steps(model) == {
        (("0", "true", service), "call(go, 2)", ("1", "true", service)) for service in ("false", "true")
    } | {(("1", "true", service), "call(go, 1)", ("0", "true", service)) for service in ("false", "true")}


def test_steps_are_added_and_removed() -> None:
    text = """
# Out of service, nothing moves.
variable service: false, true
remove call(go, *) when [service]
add call(service, true) when [!service]
    set service = true
add call(service, false) when [service] set service = false
"""
    model = changed(text)
    assert steps(model) == {
        (("0", "true", "false"), "call(go, 2)", ("1", "true", "false")),
        (("1", "true", "false"), "call(go, 1)", ("0", "true", "false")),
        *((((c, "true", "false"), "call(service, true)", (c, "true", "true"))) for c in "01"),
        *((((c, "true", "true"), "call(service, false)", (c, "true", "false"))) for c in "01"),
    }
    both = structure_of_edits(lift(), read_edits(text, "x.edits"))
    assert isinstance(both, Structure)
    assert both.counts() == {Kind.PRESERVED: 2, Kind.IMPOSED: 4, Kind.DELETED: 6}


def test_steps_to_a_condition() -> None:
    model = changed("add jump to [count == 1]\nremove call(go, 2) to [count == 1]\n")
    assert steps(model) == {
        (("1", "true"), "call(go, 1)", ("0", "true")),
        (("0", "true"), "jump", ("1", "true")),
        (("1", "true"), "jump", ("1", "true")),
    }


def test_a_variable_follows_from_others() -> None:
    model = changed("variable lamp = RED when [count > 0], GREEN")
    assert [model.valuation(s)["lamp"] for s in range(2)] == ["GREEN", "RED"]
    model = changed("variable lamp = 7 when [count > 0]")
    assert [model.valuation(s)["lamp"] for s in range(2)] == ["?", "7"]


def test_another_start() -> None:
    assert changed("start [count == 1]").initial == 1


def test_nothing_depends_on_a_deleted_variable() -> None:
    builder = ModelBuilder()
    builder.add(0, "a", 1)
    builder.add(1, "b", 1)
    model = builder.build(2, propositions=[column("on", ["true", "true"]), column("count", ["0", "1"])])
    both = structure_of_edits(model, read_edits("delete count", "x.edits"))
    assert isinstance(both, Structure)
    assert steps(new_model(both)) == {(("true",), "a", ("true",)), (("true",), "b", ("true",))}
    assert both.deleted == ("count",)
    assert dependence(model, "count") is not None
    assert dependence(both, "count") is None


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("variable service", "1:17", "the edit ends where `:` or `=` should stand"),
        ("vairable service: 1", "1:1", "`vairable` stands where"),
        ("delete cuont", "1:1", "the model has no variable `cuont`"),
        ("\n  \nremove call(go, 1) when [cuont > 0]", "3:26", "no proposition or enumerator `cuont`"),
        ("remove call(stop)", "1:1", "no step of the model is done by `call(stop)`"),
        ("remove call(go, 1) when [count == 0]", "1:1", "no step by `call(go, 1)` is meant"),
        ("start [on]", "1:1", "the condition holds in 2 states"),
        ("start [count > 5]", "1:1", "the condition holds in no state"),
        ("start [count > ]", "1:16", "the predicate ends"),
        ("start [count > 1", "1:7", "the closing ] is missing"),
        ("variable on: 1, 2", "1:1", "`on` is one of the model already"),
        ("delete on\nvariable on: 1", "2:1", "`on` was deleted by an edit before"),
        ("variable x: 1, 1", "1:10", "`x` has a value twice"),
        ("variable x = 1, 2 when [on]", "1:10", "only the last value goes without a condition"),
        ("add go set count = 9", "1:1", "`count` is never 9"),
        ("add go set cuont = 1", "1:1", "the model has no variable `cuont`"),
        ("add go set count = 1, count = 0", "1:23", "`count` is set twice"),
        ("variable x = 1 when [count == 0], 2\nadd go set x = 1", "2:1", "a state that the model does not have"),
        ("add go when [count > 3] to [on]", "1:1", "no state is one from which `go` could start"),
        ("delete [on]", "1:8", "`[` has no place here"),
    ],
)
def test_mistakes_have_a_place(text: str, place: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        changed(text)
    assert message in error.value.diagnostics[0].message
    assert str(error.value.diagnostics[0].span) == f"x.edits:{place}"


def test_all_mistakes_are_told_at_once() -> None:
    with pytest.raises(InputError) as error:
        changed("delete\nstart [1 +]\nadd call(f set x = 1")
    assert [d.span.line for d in error.value.diagnostics] == [1, 2, 3]


WORDS = st.sampled_from(
    ["variable", "delete", "start", "remove", "add", "when", "to", "set", "x", "on", "count", "call(go, 1)", "call(",
     "[on]", "[count == 0]", "[", "]", ":", "=", ",", "\n", "\n  ", " ", "#", '"', "`", "-3", "0x", "é",
     "true", "\\", "\0"]
)  # fmt: skip


@given(
    st.one_of(
        st.text(max_size=60), st.lists(WORDS, max_size=14).map(" ".join), st.lists(WORDS, max_size=14).map("".join)
    )
)
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        found = changed(text)
    except InputError as error:
        assert error.diagnostics
        assert all(d.message for d in error.diagnostics)
    else:
        assert found.states >= 1


@st.composite
def edit_lists(draw: st.DrawFn) -> str:
    """Edits that mostly fit a model over `on`, `count` and `mode`."""
    conditions = ("[on]", "[!on]", "[count > 0]", "[mode == RUN && on]", "[new]", "[true]")
    lines = []
    for _ in range(draw(st.integers(0, 5))):
        when = draw(st.sampled_from(("", *(f" when {c}" for c in conditions))))
        to = draw(st.sampled_from(conditions))
        lines.append(
            draw(
                st.sampled_from(
                    [
                        "variable new: false, true",
                        f"variable lamp = RED{when}",
                        "delete count",
                        "delete on",
                        f"remove a{when}",
                        f"remove * to {to}",
                        f"add c{when} to {to}",
                        "add c when [!new] set new = true",
                        "start [on && count == 0 && mode == RUN && new]",
                    ]
                )
            )
        )
    return "\n".join(lines)


@given(models(("on", "count", "mode")), edit_lists())
def test_structures_of_edits_are_those_of_the_models(model: Model, text: str) -> None:
    try:
        pairs = edited(model, read_edits(text, "x.edits"))
    except InputError:
        return
    both = structure_of_edits(model, read_edits(text, "x.edits"))
    assert isinstance(both, Structure)
    assert malformed(both) == ""
    assert canonical(old_model(both)) == canonical(model)
    assert canonical(new_model(both)) == canonical(pairs.new)
    shared = [name for name in DOMAINS if name in pairs.agreed.shared]
    for old, new in zip(pairs.pair_old.tolist(), pairs.pair_new.tolist(), strict=True):
        before, after = dict(valuation(model, old)), dict(valuation(pairs.new, new))
        assert [before[name] for name in shared] == [after[name] for name in shared]


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_model(lift(), "lift.sg")
    Path("x.edits").write_text("remove call(go, 2)\n")
    assert stateglass("transform", "lift.sg", "--edits", "x.edits", "--reachable", "-o", "still.sg").status is Exit.OK
    assert read_model("still.sg").transitions == 0
    Path("x.edits").write_text("remove call(go, 2\n")
    wrong = stateglass("transform", "lift.sg", "--edits", "x.edits", "-o", "still.sg")
    assert wrong.status is Exit.BAD_INPUT
    assert "x.edits:1:" in wrong.err
    assert stateglass("transform", "lift.sg", "--edits", "none.edits", "-o", "y.sg").status is Exit.BAD_INPUT

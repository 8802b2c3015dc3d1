"""Formats that are only written: read back here, by readers that know nothing of the writers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stateglass.formats import cwb, losses, mcrl2, read_model
from stateglass.formats.names import identifier, original
from stateglass.model import Model, ModelBuilder, Origin, Relation
from stateglass.source import InputError
from tests.formats.strategies import edges, models


def small() -> Model:
    builder = ModelBuilder()
    builder.add(0, "coin", 1)
    builder.add(1, "call(f, 3)", 0)
    builder.add(1, "tau", 2)
    builder.add(1, "T", 2)
    builder.add(1, "act", 2)
    return builder.build(3, 1, unexplored=[2], origin=Origin(Relation.UNDER, partial=("the limit; 3",)))


def test_ccs_agents() -> None:
    assert cwb.serialise(small()).decode() == (
        '* stateglass partial ["the limit\\u003b 3"]\n'
        '* stateglass relation "under"\n'
        '* stateglass unexplored ["S2"]\n'
        '* call_x28_f_x2c__x20_3_x29_ is "call(f, 3)"\n'
        '* x_qT is "T"\n'
        "agent Model = S1;\n"
        "agent S0 = coin.S1;\n"
        "agent S1 = call_x28_f_x2c__x20_3_x29_.S0 + tau.S2 + x_qT.S2 + act.S2;\n"
        "agent S2 = 0;\n"
    )


def test_mcrl2_process() -> None:
    assert mcrl2.serialise(small()).decode() == (
        '% stateglass partial ["the limit\\u003b 3"]\n'
        '% stateglass relation "under"\n'
        '% stateglass unexplored ["2"]\n'
        '% call_x28_f_x2c__x20_3_x29_ is "call(f, 3)"\n'
        '% x_qact is "act"\n'
        "act\n  coin,\n  call_x28_f_x2c__x20_3_x29_,\n  T,\n  x_qact;\n"
        "proc\n"
        "  Model_q(state_q: Nat) =\n"
        "    (state_q == 0) -> coin . Model_q(state_q = 1)\n"
        "  + (state_q == 1) -> call_x28_f_x2c__x20_3_x29_ . Model_q(state_q = 0)\n"
        "  + (state_q == 1) -> tau . Model_q(state_q = 2)\n"
        "  + (state_q == 1) -> T . Model_q(state_q = 2)\n"
        "  + (state_q == 1) -> x_qact . Model_q(state_q = 2);\n"
        "init\n  Model_q(1);\n"
    )


@settings(max_examples=100, deadline=None)
@given(models())
def test_agents_are_the_model(model: Model) -> None:
    text = cwb.serialise(model).decode()
    code = "".join(line + " " for line in text.split("\n") if not line.startswith("*"))
    agents = dict(re.findall(r"agent (\w+) = ([^;]*);", code))
    assert agents.pop("Model") == f"S{model.initial}"
    assert list(agents) == [f"S{state}" for state in range(model.states)]
    found = {
        (int(agent[1:]), original(action), int(target[1:]))
        for agent, body in agents.items()
        for action, target in re.findall(r"([a-z]\w*)\.(S\d+)", body)
    }
    assert found == edges(model)


@settings(max_examples=100, deadline=None)
@given(models())
def test_the_process_is_the_model(model: Model) -> None:
    text = mcrl2.serialise(model).decode()
    rows = re.findall(r"\(state_q == (\d+)\) -> (\w+) \. Model_q\(state_q = (\d+)\)", text)
    assert {(int(s), original(a), int(t)) for s, a, t in rows} == edges(model)
    declared = re.search(r"^act\n(.*?);", text, re.MULTILINE | re.DOTALL)
    names = re.findall(r"\w+", declared[1]) if declared else []
    assert sorted(names) == sorted({a for _, a, _ in rows} - {"tau"})
    assert text.endswith(f"init\n  Model_q({model.initial});\n")


@settings(max_examples=300)
@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_identifiers_can_be_turned_back(text: str) -> None:
    for starts in ("a-z", "a-zA-Z"):
        name = identifier(text, starts, {"tau", "act"})
        assert re.fullmatch(f"[{starts}][A-Za-z0-9_]*", name)
        assert original(name) == text


@pytest.mark.parametrize("name", ["m.cwb", "m.mcrl2"])
def test_reading_them_is_refused_by_name(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text("agent S0 = 0;")
    with pytest.raises(InputError) as caught:
        read_model(str(path))
    assert caught.value.diagnostics[0].message == f"the format `{name[2:]}` is only written, not read"


def test_what_they_lose_is_said() -> None:
    for format in ("cwb", "mcrl2"):
        said = losses(small(), format)
        assert said == [f"`{format}` has only identifiers for actions: labels are spelt out in them, comments say how"]

"""Golden cases of state diagrams that are read as designs."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from stateglass.assemblies.ccl import print_design, read_design
from stateglass.assemblies.charts import design_of, read_diagram
from stateglass.assemblies.loading import load_design
from stateglass.design import Design, State
from stateglass.model.chart import Arrow, Chart, ChartState, Note
from stateglass.source import InputError, render_diagnostics
from tests.assemblies.texts import without_places
from tests.cases import Case, load_cases

CASES = load_cases("diagram")
WIDTH = 100


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_diagram(case: Case, here: Path, update_cases: bool) -> None:
    (file,) = case.files
    case.write_files(here)
    try:
        design = read_diagram(file)
    except InputError as error:
        case.check("errors", render_diagnostics(error.diagnostics, WIDTH), update_cases)
        return
    # CCL has no states inside states: which ones are is said behind it.
    nested = [f"{s.name} in {s.parent}{', initial' if s.initial else ''}" for s in states(design) if s.parent]
    case.check("design", print_design(flat(design)) + "".join(f"// {line}\n" for line in nested), update_cases)


def test_what_is_told_of_a_state_is_where_it_stands_first(here: Path) -> None:
    text = "@startuml\n[*] --> a\nstate a {\n[*] --> b\nb --> b : go\n}\na : entry / n = 1\na : exit / n = 2\n@enduml\n"
    (here / "d.puml").write_text(text, encoding="utf-8")
    design = read_diagram("d.puml")
    assert {one.name: one.span.line for one in states(design)} == {"a": 3, "b": 4}
    assert design.components[0].reactions[0].transitions[0].span.line == 2


def states(design: Design) -> tuple[State, ...]:
    return design.components[0].reactions[0].states


def flat(design: Design) -> Design:
    (component,) = design.components
    (reaction,) = component.reactions
    beside = tuple(replace(s, parent=None, initial=False) for s in reaction.states)
    return replace(design, components=(replace(component, reactions=(replace(reaction, states=beside),)),))


def behaviour(label: str, here: Path) -> str:
    """What the arrow with this label becomes."""
    (here / "d.puml").write_text(f"@startuml\n[*] --> A\nA --> A : {label}\n@enduml\n", encoding="utf-8")
    return next(line.strip() for line in print_design(read_diagram("d.puml")).splitlines() if "A -> A" in line)


@pytest.mark.parametrize(
    ("label", "meant"),
    [
        ("go", "trigger ^go();"),
        ("go / x = x ^ y", None),  # y has no value
        ("go / x = x ^ x", "trigger ^go(); action x = x ^ x;"),
        ("/ n = 1", None),  # no pin
        ("[a / b > 1] / a = b = 1", None),
        ("go / beep", "trigger ^go(); action ^beep();"),
        ("go / beep(1)", "trigger ^go(); action ^beep(1);"),
        ("go / $go", "trigger ^go(); action $go();"),
        ("go(x) / n = x / 2", "trigger ^go(x); action n = x / 2;"),
        ("go [n<2] / n++", "trigger ^go(); guard n < 2; action n = n + 1;"),
        ("if", None),
        ("go [n] x", None),
        ("go [x[1]]", None),
        ("a b", None),
        ("go / return", None),
        ("go(" * 800, None),
        ("a," * 1500, None),
        ("go / " + "(" * 900, None),
    ],
)
def test_labels(label: str, meant: str | None, here: Path) -> None:
    if meant is None:
        with pytest.raises(InputError):
            behaviour(label, here)
    else:
        assert behaviour(label, here) == f"A -> A {{ {meant} }}"


WORDS = [
    "go",
    "n",
    "entry",
    "exit",
    "do",
    "/",
    "[",
    "]",
    "(",
    ")",
    "{",
    "}",
    ";",
    ",",
    "^",
    "$",
    "=",
    "++",
    "<",
    "if",
    "é",
]


@pytest.mark.parametrize("seed", range(10))
def test_diagrams_with_any_texts_are_designs_or_errors(seed: int) -> None:
    random = Random(seed)
    for _ in range(60):
        texts = [" ".join(random.choices(WORDS, k=random.randrange(1, 9))) for _ in range(3)]
        first = ChartState("a", initial=True, texts=(Note(texts[0]),))
        arrows = (Arrow("a", "b", texts[1]), Arrow("b", "a", "back", action=texts[2]))
        with suppress(InputError):
            design_of(Chart("d", (first, ChartState("b")), arrows, in_order=bool(seed % 2)), "d")


DRAWN = {
    "store.puml": """@startuml
[*] --> idle
idle --> busy : put(n) [n > 0] / data = data + n
busy : entry / count = count + 1
busy : exit / told(count)
busy --> idle
@enduml
""",
    "store.mmd": """stateDiagram-v2
    [*] --> idle
    idle --> busy : put(n) [n > 0] / data += n#59;
    busy : entry / count++
    busy : exit / ^told(count)
    busy --> idle
""",
}
WRITTEN = """
component store() {
    int count;
    int data;
    sink asynch put(int n);
    source asynch told(int value);
    threaded react S(put, told) {
        state idle {}
        state busy { entry count = count + 1; exit ^told(count); }
        start -> idle {}
        idle -> busy { trigger ^put(n); guard n > 0; action data = data + n; }
        busy -> idle {}
    }
}
"""


def test_a_reaction_may_be_drawn_in_a_file_of_its_own(here: Path) -> None:
    head, reaction = WRITTEN.split("    threaded react S(put, told) {")
    (here / "charts").mkdir()
    (here / "charts" / "s.puml").write_text(DRAWN["store.puml"], encoding="utf-8")
    drawn = f'{head}    threaded react S(put, told) from "charts/s.puml";\n}}\n'
    assert without_places(read_design(drawn, "store.ccl")) == without_places(read_design(WRITTEN))
    with pytest.raises(InputError) as caught:
        read_design(drawn.replace("put(int n)", "put(bool n)").replace("int count", "int counted"), "store.ccl")
    places = [(d.message, str(d.span)) for d in caught.value.diagnostics]
    assert ("there is no variable `count`", "charts/s.puml:4") in places
    with pytest.raises(InputError, match="there is no such file"):
        read_design(drawn.replace("s.puml", "t.puml"), "store.ccl")
    assert reaction


@pytest.mark.parametrize("file", DRAWN)
def test_a_diagram_is_what_is_written_in_ccl(file: str, here: Path) -> None:
    (here / file).write_text(DRAWN[file], encoding="utf-8")
    (here / "store.ccl").write_text(WRITTEN, encoding="utf-8")
    assert without_places(load_design(file)) == without_places(load_design("store.ccl"))


NESTED = {
    "x.puml": """@startuml
[*] --> Out
state Out {
    [*] --> In
    In --> Other : go
}
Out --> End : stop
Other : entry / n++
@enduml
""",
    "x.mmd": """stateDiagram-v2
    [*] --> Out
    state Out {
        [*] --> In
        In --> Other : go
    }
    Out --> End : stop
    Other : entry / n++
""",
}


@pytest.mark.parametrize("file", NESTED)
def test_a_state_that_is_described_from_outside_stays_where_it_is(file: str, here: Path) -> None:
    (here / file).write_text(NESTED[file], encoding="utf-8")
    ((reaction,),) = (component.reactions for component in load_design(file).components)
    other = next(state for state in reaction.states if state.name == "Other")
    assert (other.parent, bool(other.entry.statements)) == ("Out", True)

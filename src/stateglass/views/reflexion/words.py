"""What is said of an edge of a reflexion model, wherever it is said: marks, conditions, calls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, final

from stateglass.evidence import Condition, Edge, ReflexionModel, Result, StateFound, Witness
from stateglass.model import Action, Verb
from stateglass.source import counted
from stateglass.views.reflexion.relevance import Relevance, is_pseudo

# Told apart without colour too.
MARKS: Final = {
    Result.CONVERGENCE: "=",
    Result.PARTIAL: "~",
    Result.DIVERGENCE: "+",
    Result.ABSENCE: "-",
    Result.INCONCLUSIVE: "?",
}
assert set(MARKS) == set(Result)
MEANINGS: Final = {
    Result.CONVERGENCE: "the machine and the code have it",
    Result.PARTIAL: "the code has it, but the condition leads elsewhere too",
    Result.DIVERGENCE: "the code has it where the machine does not",
    Result.ABSENCE: "the machine has it, the code does not",
    Result.INCONCLUSIVE: "it could not be decided",
}
assert set(MEANINGS) == set(Result)
ALWAYS: Final = "always"
UNFOUND: Final = "when it is taken was not found:"
MOST_LINES: Final = 12
"""How many executed lines are named."""


MOST_NAMES: Final = 8
"""How many states a remark names."""


def marks(edge: Edge) -> str:
    return "".join(MARKS[r] for r in edge.results)


@final
@dataclass(frozen=True, slots=True)
class Detail:
    """One thing to say about an edge."""

    title: str
    text: str

    def __str__(self) -> str:
        return f"{self.title} {self.text}"


def details(edge: Edge, relevance: Relevance) -> Iterator[Detail]:
    """Conditions, and calls that show what is wrong with them."""
    if edge.event and edge.claimed is None:
        yield Detail("at the event", edge.event)
    if edge.claimed is not None:
        yield Detail("claimed when", _one_line(edge.claimed))
    if edge.missing:
        yield Detail(UNFOUND, edge.missing)
    said = edge.condition or edge.necessary
    if said is not None:
        yield Detail(_taken(said), condition_text(said))
    if edge.witness is not None:
        yield Detail("a call that takes it:", call(edge.witness, edge, edge.target, relevance))
    if said is not None and said.example is not None:
        target, witness = said.example
        yield Detail(_example(said, target), call(witness, edge, target, relevance))
    if edge.elsewhere is not None:
        target, witness = edge.elsewhere
        yield Detail(f"but the condition also leads to {target}:", call(witness, edge, target, relevance))
    if edge.beyond is not None and edge.beyond != edge.witness:
        title = "and it is taken when the condition does not hold:"
        yield Detail(title, call(edge.beyond, edge, edge.target, relevance))
    if edge.reason:
        yield Detail("not decided:", edge.reason)


def condition_text(condition: Condition) -> str:
    return f"{condition.text} ({condition.note})" if condition.note else condition.text


def _taken(condition: Condition) -> str:
    if condition.text == ALWAYS:
        return "taken"
    return "taken only when" if condition.is_wide else "taken when"


def _example(condition: Condition, target: str) -> str:
    """What the call shows that comes with a condition which is not exact."""
    if not target:
        return "a call that is not decided:"
    if condition.is_wide:
        return f"a call that leads to {target} though this holds:"
    return "a call that takes it in another case:"


def call(witness: Witness, edge: Edge, target: str, relevance: Relevance) -> str:
    """The valuation before and after, as far as it matters, and the lines."""
    shown, rest = relevance.of(witness, edge, target)
    before = ", ".join(f"{name} = {value}" for name, value in shown)
    before = f"{before}{', …' if rest else ''}" if before else "any values" if rest else "always"
    if not witness.lines:
        return before
    after = ", ".join(f"{name} = {value}" for name, value in witness.after) or "nothing changes"
    if witness.error:
        after = str(Action(Verb.ERROR, witness.error)) + (f" at {witness.span}" if witness.span is not None else "")
    return f"{before} ⟶ {after}{lines(witness)}"


def lines(witness: Witness) -> str:
    """The lines that a call executes, in that order; files are named where there are several."""
    if not witness.lines:
        return ""
    several = len({file for file, _ in witness.lines}) > 1
    numbers = [f"{file}:{line}" if several else str(line) for file, line in witness.lines[:MOST_LINES]]
    more = "…" if len(witness.lines) > MOST_LINES else ""
    return f" (line{'s' * (len(witness.lines) > 1)} {', '.join(numbers)}{more})"


def _one_line(text: str) -> str:
    return " ".join(text.split())


def headline(model: ReflexionModel) -> str:
    counts = {r: sum(r in e.results for e in model.edges) for r in Result}
    found = ", ".join(
        counted(n, r.value) if r is not Result.INCONCLUSIVE else f"{n} inconclusive" for r, n in counts.items() if n
    )
    leaves = [s for s in model.states if s.satisfiable and s.itself and not is_pseudo(s)]
    name = model.machine if model.machine == model.function else f"{model.machine} of {model.function}"
    return f"{name}: {counted(len(leaves), 'state')}; {found or 'no transition'}"


def remarks(states: Sequence[StateFound]) -> Iterator[tuple[str, list[str]]]:
    """What is worth knowing about states, and which ones it goes for."""
    leaves = [s for s in states if s.itself]
    for text, names in (
        ("entered and never left", [s.name for s in leaves if s.is_trap]),
        ("never left", [s.name for s in leaves if not s.is_left and not s.is_trap]),
        (
            "cannot be reached from the initial state",
            [s.name for s in leaves if s.reachable is False and s.satisfiable],
        ),
        (
            "entered from no other state",
            [s.name for s in leaves if s.is_entered is False and s.satisfiable and not s.initial],
        ),
        ("no valuation before a call is in", [s.name for s in leaves if not s.satisfiable]),
    ):
        if names:
            yield text, names


def listed(names: Sequence[str]) -> str:
    """The first ones of some names."""
    shown = [*names[:MOST_NAMES], *([f"… {len(names) - MOST_NAMES:,} more"] if len(names) > MOST_NAMES else [])]
    return ("; " if any("," in name for name in shown) else ", ").join(shown)

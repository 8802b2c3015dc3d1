"""What is said of an edge of a reflexion model, wherever it is said: marks, conditions, calls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, final

from stateglass.evidence import Edge, ReflexionModel, Result, StateFound, Witness
from stateglass.program.tokens import Kind, Token, tokens_of
from stateglass.views.summary import counted

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
MOST_LINES: Final = 12
"""How many executed lines are named."""
MOST_VALUES: Final = 12
"""How many values of a call are shown where nothing says which ones matter."""


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


def details(edge: Edge, model: ReflexionModel) -> Iterator[Detail]:
    """Conditions, and calls that show what is wrong with them."""
    if edge.claimed is not None:
        yield Detail("claimed when", _one_line(edge.claimed))
    if edge.condition is not None:
        note = f" ({edge.condition.note})" if edge.condition.note else ""
        yield Detail("taken when" if edge.condition.text != "always" else "taken", f"{edge.condition.text}{note}")
    if edge.witness is not None:
        yield Detail("a call that takes it:", call(edge.witness, edge, edge.target, model))
    if edge.elsewhere is not None:
        target, witness = edge.elsewhere
        yield Detail(f"but the condition also leads to {target}:", call(witness, edge, target, model))
    if edge.beyond is not None and edge.beyond != edge.witness:
        title = "and it is taken when the condition does not hold:"
        yield Detail(title, call(edge.beyond, edge, edge.target, model))
    if edge.reason:
        yield Detail("not decided:", edge.reason)


def call(witness: Witness, edge: Edge, target: str, model: ReflexionModel) -> str:
    """The valuation before and after, as far as it matters, and the lines."""
    shown, rest = relevant(witness, edge, target, model)
    before = ", ".join(f"{name} = {value}" for name, value in shown)
    before = f"{before}{', …' if rest else ''}" if before else "any values" if rest else "always"
    after = ", ".join(f"{name} = {value}" for name, value in witness.after) or "nothing changes"
    if witness.error:
        after = f"error({witness.error})" + (f" at {witness.span}" if witness.span is not None else "")
    return f"{before} ⟶ {after}{lines(witness)}"


def lines(witness: Witness) -> str:
    """The lines that a call executes, in that order; files are named where there are several."""
    if not witness.lines:
        return ""
    several = len({file for file, _ in witness.lines}) > 1
    numbers = [f"{file}:{line}" if several else str(line) for file, line in witness.lines[:MOST_LINES]]
    more = "…" if len(witness.lines) > MOST_LINES else ""
    return f" (line{'s' * (len(witness.lines) > 1)} {', '.join(numbers)}{more})"


def relevant(
    witness: Witness, edge: Edge, target: str, model: ReflexionModel
) -> tuple[tuple[tuple[str, str], ...], bool]:
    """The values before a call that the states, the conditions or the change speak of; whether there are others."""
    if edge.condition is None or not edge.condition.exact:
        return witness.before[:MOST_VALUES], len(witness.before) > MOST_VALUES
    changed = {name for name, _ in witness.after}
    texts = [edge.claimed or "", edge.condition.text, *_around(edge.source, model), *_around(target, model)]
    spoken = _mentions([*texts, *_meanings(texts, model)])
    shown = tuple((name, value) for name, value in witness.before if name in changed or _is_spoken_of(name, spoken))
    return shown, len(shown) < len(witness.before)


def _around(name: str, model: ReflexionModel) -> Iterator[str]:
    """The conditions of a state and of those around it, and of those inside; `other` is what all the others are not."""
    by_name = {s.name: s for s in model.states}
    state = by_name.get(name)
    if state is not None and is_pseudo(state) and state.name == "other":
        yield from (s.condition for s in model.states)
    while state is not None:
        yield state.condition
        state = by_name.get(state.parent) if state.parent is not None else None
    yield from (s.condition for s in model.states if s.parent == name)


def _meanings(texts: Sequence[str], model: ReflexionModel) -> list[str]:
    """What the words of a design in these texts stand for."""
    meanings, found, todo = dict(model.lets), list[str](), list(texts)
    while todo:
        for token in tokens_of(todo.pop()):
            if token.text in meanings:
                meaning = meanings.pop(token.text)
                found.append(meaning)
                todo.append(meaning)
    return found


def _mentions(texts: Sequence[str]) -> dict[str, list[list[str]]]:
    """For each name, the tokens that follow it wherever it is mentioned."""
    found: dict[str, list[list[str]]] = {}
    for text in texts:
        tokens = tokens_of(text)
        for place, token in enumerate(tokens):
            if token.kind is Kind.NAME:
                found.setdefault(token.base, []).append([_plain(t) for t in tokens[place + 1 :]])
    return found


def _is_spoken_of(name: str, mentions: dict[str, list[list[str]]]) -> bool:
    """Whether a mention of the variable goes down to this part of it, or does not say to which."""
    own = [_plain(t) for t in tokens_of(name.lstrip("*"))]
    rest = [t.base or t.text for t in tokens_of(name.lstrip("*"))]
    return bool(own) and any(_leads_into(own[1:], following) for following in mentions.get(rest[0], ()))


def _leads_into(path: list[str], following: list[str]) -> bool:
    for step, said in zip(path, following, strict=False):
        if said not in (".", "[", "]") and not _is_step(said):
            return True
        if step != said:
            # Another member is another thing; an index that is no number may be any.
            return step.isdigit() and not said.isdigit()
    return True


def _is_step(text: str) -> bool:
    return text.isdigit() or text.isidentifier()


def _plain(token: Token) -> str:
    return "." if token.text == "->" else token.text


def _one_line(text: str) -> str:
    return " ".join(text.split())


def headline(model: ReflexionModel) -> str:
    counts = {r: sum(r in e.results for e in model.edges) for r in Result}
    found = ", ".join(
        counted(n, r.value) if r is not Result.INCONCLUSIVE else f"{n} inconclusive" for r, n in counts.items() if n
    )
    parents = {s.parent for s in model.states}
    leaves = [s for s in model.states if s.satisfiable and s.name not in parents and not is_pseudo(s)]
    name = model.machine if model.machine == model.function else f"{model.machine} of {model.function}"
    return f"{name}: {counted(len(leaves), 'state')}; {found or 'no transition'}"


def is_pseudo(state: StateFound) -> bool:
    """Whether it is none of the hypothesis' states: `other`, `error` or `exit`."""
    return not state.condition and state.parent is None and state.name in ("other", "error", "exit")


def remarks(states: Sequence[StateFound]) -> Iterator[tuple[str, list[str]]]:
    """What is worth knowing about states, and which ones it goes for."""
    parents = {s.parent for s in states}
    leaves = [s for s in states if s.name not in parents]
    for text, names in (
        ("entered and never left", [s.name for s in leaves if s.is_trap]),
        (
            "cannot be reached from the initial state",
            [s.name for s in leaves if s.reachable is False and s.satisfiable],
        ),
        (
            "entered from no other state",
            [s.name for s in leaves if s.is_entered is False and s.satisfiable and not s.initial],
        ),
        ("no valuation is in", [s.name for s in leaves if not s.satisfiable]),
    ):
        if names:
            yield text, names

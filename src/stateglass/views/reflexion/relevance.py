"""Which values of a call matter to its edge: functions have more variables than a person wants to see."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import final

from stateglass.evidence import MOST_VALUES, Edge, ReflexionModel, StateFound, Witness
from stateglass.program.tokens import TokenKind, tokens_of

Values = tuple[tuple[str, str], ...]


@final
class Relevance:
    """Looks at what the conditions of one model speak of."""

    def __init__(self, model: ReflexionModel) -> None:
        self._states = {s.name: s for s in model.states}
        self._lets = dict(model.lets)
        self._inside: dict[str | None, list[StateFound]] = {}
        for state in model.states:
            self._inside.setdefault(state.parent, []).append(state)

    def of(self, witness: Witness, edge: Edge, target: str) -> tuple[Values, bool]:
        """The values before a call that the states, the conditions or the change speak of; whether there are others."""
        before, deciding = witness.before, witness.deciding or frozenset()
        exact = edge.condition if edge.condition is not None and edge.condition.exact else None
        if exact is None and len(before) <= MOST_VALUES:
            return before, False
        changed = {name for name, _ in witness.after}
        texts = [edge.claimed or "", exact.text if exact is not None else ""]
        texts += [*self._around(edge.source), *self._around(target)]
        spoken = _mentions([*texts, *self._meanings(texts)])
        shown = {name for name, _ in before if name in changed or _is_spoken_of(name, spoken)}
        if len(shown) > MOST_VALUES and deciding:
            # An array with an index that is no number speaks of all its elements.
            shown &= deciding | changed
        if exact is None:
            names = [name for name, _ in before if name in shown or name in deciding or not deciding]
            shown = set(sorted(names, key=lambda n: (n not in deciding, n not in shown))[:MOST_VALUES])
        return tuple((n, v) for n, v in before if n in shown), len(shown) < len(before)

    def _around(self, name: str) -> Iterator[str]:
        """The conditions of a state, of those around it and inside; `other` is what all the others are not."""
        state = self._states.get(name)
        if state is not None and is_pseudo(state) and state.name == "other":
            yield from (s.condition for s in self._states.values())
        while state is not None:
            yield state.condition
            state = self._states.get(state.parent) if state.parent is not None else None
        yield from (s.condition for s in self._inside.get(name, ()))

    def _meanings(self, texts: Sequence[str]) -> list[str]:
        """What the words of a design in these texts stand for."""
        if not self._lets:
            return []
        meanings, found, todo = dict(self._lets), list[str](), list(texts)
        while todo:
            for base, _ in _names(todo.pop()):
                if base in meanings:
                    meaning = meanings.pop(base)
                    found.append(meaning)
                    todo.append(meaning)
        return found


def is_pseudo(state: StateFound) -> bool:
    """Whether it is none of the hypothesis' states: `other`, `error` or `exit`."""
    return not state.condition and state.parent is None and state.name in ("other", "error", "exit")


Following = tuple[str, ...]
"""The tokens that follow a name: `.` also for `->`."""


@lru_cache(maxsize=4096)
def _names(text: str) -> tuple[tuple[str, Following], ...]:
    """The names in a text, each with what follows it."""
    tokens = tokens_of(text)
    plain = tuple("." if t.text == "->" else t.text for t in tokens)
    return tuple((t.base, plain[n + 1 :]) for n, t in enumerate(tokens) if t.kind is TokenKind.NAME)


def _mentions(texts: Sequence[str]) -> dict[str, list[Following]]:
    found: dict[str, list[Following]] = {}
    for text in texts:
        for base, following in _names(text):
            found.setdefault(base, []).append(following)
    return found


def _is_spoken_of(variable: str, mentions: dict[str, list[Following]]) -> bool:
    """Whether a mention of the variable goes down to this part of it, or does not say to which."""
    names = _names(variable.lstrip("*"))
    if names and "#" in variable:
        # Of several values of the same name it has to be this one.
        base, path = names[0]
        return any(following[: len(path)] == path for following in mentions.get(base, ()))
    return bool(names) and any(_leads_into(names[0][1], following) for following in mentions.get(names[0][0], ()))


def _leads_into(path: Following, following: Following) -> bool:
    for step, said in zip(path, following, strict=False):
        if said not in (".", "[", "]") and not said.isdigit() and not said.isidentifier():
            return True
        if step != said:
            # Another member is another thing; an index that is no number may be any.
            return step.isdigit() and not said.isdigit()
    return True

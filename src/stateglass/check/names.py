"""What the names in predicates mean on a model: propositions, else enumerators."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Final, final

from stateglass.check.sets import content
from stateglass.logic.predicates import Named, Predicate
from stateglass.model import Model, Proposition, Relation, Sort
from stateglass.source import Code, Diagnostic, InputError, suggestion
from stateglass.values.abstract.texts import Symbols, is_vague

_WORDS: Final = {"true": 1, "false": 0}


@final
class Names:
    """The names that a model knows."""

    def __init__(self, model: Model) -> None:
        self._abstract = model.origin.relation is Relation.OVER
        self._propositions = {p.name: p for p in model.propositions}

    def proposition(self, name: str) -> Proposition | None:
        return self._propositions.get(name)

    @cached_property
    def _enumerators(self) -> dict[str, set[int]]:
        found: dict[str, set[int]] = {}
        for own in self._propositions.values():
            if not self.is_vague(own.name):
                for value, text in own.names:
                    found.setdefault(text, set()).add(value)
        return found

    @cached_property
    def _symbols(self) -> set[str]:
        """Names that only abstract values have: they have no number here."""
        vague = (p for p in self._propositions.values() if self.is_vague(p.name))
        contents = (content(text) for own in vague for _, text in own.names)
        return {name for found in contents if isinstance(found, Symbols) for name in found.names}

    def is_vague(self, name: str) -> bool:
        """Whether the values of a proposition go by texts that may stand for several."""
        own = self._propositions.get(name)
        if own is None or not self._abstract or own.sort is not Sort.ENUM:
            return False
        texts = [text for _, text in own.names]
        return any(is_vague(text) or not isinstance(content(text), Symbols) for text in texts)

    def constant(self, node: Named, beside: Iterable[str] = ()) -> int:
        """The value of an enumerator: as the propositions beside it have it, else as all that have it do."""
        value = self.number(node, beside)
        assert value is not None, f"`{node.name}` has no number"
        return value

    def number(self, node: Named, beside: Iterable[str] = ()) -> int | None:
        """The value of an enumerator, as `constant`; None for a name that only abstract values have."""
        for name in beside:
            own = self._propositions.get(name)
            values = [] if own is None or self.is_vague(name) else [v for v, text in own.names if text == node.name]
            if values:
                return values[0]
        values = sorted(self._enumerators.get(node.name, ()))
        if len(values) > 1:
            message = f"`{node.name}` has several values: {', '.join(map(str, values))}"
            advice = "compare it with the proposition that it is meant for, or write the number"
            raise InputError([Diagnostic(Code.AMBIGUOUS_NAME, message, node.span, help=advice)])
        return values[0] if values else _WORDS.get(node.name)

    def check(self, nodes: Sequence[Predicate]) -> None:
        """Refuses names that are neither propositions nor enumerators, all at once."""
        unknown: dict[str, Named] = {}
        for node in nodes:
            if isinstance(node, Named) and not self._knows(node.name):
                unknown.setdefault(node.name, node)
        if unknown:
            known = self._propositions.keys() | self._enumerators.keys() | self._symbols
            raise InputError(
                Diagnostic(
                    Code.UNKNOWN_NAME,
                    f"the model has no proposition or enumerator `{name}`",
                    node.span,
                    help=suggestion(name, known),
                )
                for name, node in unknown.items()
            )

    @property
    def known(self) -> frozenset[str]:
        """Propositions and enumerators, by name."""
        return frozenset((*self._propositions, *self._enumerators, *self._symbols))

    def _knows(self, name: str) -> bool:
        return any(name in known for known in (self._propositions, _WORDS)) or (
            name in self._enumerators or name in self._symbols
        )

"""Which events of a claim a step of the code is, depending on the values that it shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final, final

from stateglass.check.events import matcher
from stateglass.explore.stretches import Shown
from stateglass.model import TAU, Action, Verb, parsed
from stateglass.model.actions import split_arguments
from stateglass.program import Bool, Enum, Int, Scalar, Type, Void, is_scalar, representation
from stateglass.smt import Term, Terms
from stateglass.system import Entry, Filled, Pointed, System
from stateglass.unbounded.temporal.atoms import Words, value_shown

MOST_KINDS: Final = 64
"""If the values of an action have more combinations that events tell apart, they are not told apart."""
# Texts that no value has: a pattern that takes both in place of an argument takes anything there.
_STRANGE: Final = ("\x00", "\x01\x02\x03")
Truths = tuple[bool | None, ...]
"""For each pattern whether an action is meant; None: that depends on what is not known."""


@final
@dataclass(frozen=True, slots=True)
class Kind:
    """Actions that no event of a claim tells apart: when an action is of this kind, and what events mean it."""

    when: Term
    truths: Truths


@final
@dataclass(frozen=True, slots=True)
class _Part:
    """One text between the commas of a label: a constant, an integer, or something that is not known."""

    text: str = ""
    term: Term | None = None  # of an integer
    type: Scalar | None = None
    options: tuple[tuple[int, str], ...] = ()  # values that events ask for, with their texts

    @property
    def is_known(self) -> bool:
        return bool(self.text)


@final
class Events:
    """The patterns of one claim."""

    def __init__(self, patterns: Sequence[str], system: System, terms: Terms, words: Words) -> None:
        self.patterns = tuple(patterns)
        self._matchers = [matcher(text) for text in patterns]
        self._system = system
        self._terms = terms
        self._words = words
        asked = [split_arguments(p.partition("(")[2].removesuffix(")")) for p in patterns if not p.startswith("re:")]
        self._asked = tuple(dict.fromkeys(text for texts in asked for text in texts))

    @property
    def silent(self) -> Truths:
        """Of a silent step."""
        return self.of_label(TAU)

    def of_label(self, label: str) -> Truths:
        return tuple(matches(label) for matches in self._matchers)

    def kinds(self, shown: Shown | None) -> list[Kind]:
        """The kinds of an action, of which exactly one is there for all values."""
        terms = self._terms
        if shown is None:
            return [Kind(terms.true, self.silent)]
        parts, is_open = self._parts(shown), self._is_open(shown)
        varying = [part for part in parts if part.term is not None]
        count = 1
        for part in varying:
            count *= len(part.options) + 1
        if count > MOST_KINDS:
            parts = [part if part.term is None else _Part() for part in parts]
            varying = []
        found: dict[Truths, list[Term]] = {}
        for choice in product(*(range(len(part.options) + 1) for part in varying)):
            when = terms.both(*(self._is(part, at) for part, at in zip(varying, choice, strict=True)))
            if when is terms.false:
                continue
            chosen = iter(choice)
            texts = [next(chosen) if part.term is not None else None for part in parts]
            truths = tuple(self._meant(n, shown, parts, texts, is_open=is_open) for n in range(len(self.patterns)))
            found.setdefault(truths, []).append(when)
        return [Kind(terms.either(*when), truths) for truths, when in found.items()]

    def _is(self, part: _Part, at: int) -> Term:
        """That an integer is one of those that are asked for, or none of them."""
        terms, term = self._terms, part.term
        assert term is not None
        equal = [terms.equal(term, terms.constant(value, term.width)) for value, _ in part.options]
        return equal[at] if at < len(equal) else terms.negation(terms.either(*equal))

    def _parts(self, shown: Shown) -> list[_Part]:
        parts = [] if shown.verb is Verb.EXIT else [_Part(shown.name)]
        given = shown.arguments
        pointers = self._pointers(shown)
        for number, (term, type) in enumerate(given):
            parts.append(_Part() if number in pointers else self._part(term, type))
        if shown.verb is Verb.EXIT and not given:
            parts.append(_Part("?"))
        if shown.verb is Verb.RETURN and not given and self._returns_something(shown.name):
            parts.append(_Part())
        return parts

    def _part(self, term: Term, type: Type) -> _Part:
        if not isinstance(type, Int | Bool | Enum):
            return _Part()
        if term.value is not None:
            return _Part(self._text(term.value, term.width, type))
        enumerators = self._words.texts.enumerators(type)
        values = {text: value_shown(text, type, enumerators) for text in self._asked}
        options = tuple((value, text) for text, value in values.items() if value is not None)
        return _Part("", term, type, options)

    def _text(self, bits: int, width: int, type: Scalar) -> str:
        is_signed = representation(type).signed
        value = bits - (1 << width) if is_signed and bits >> (width - 1) else bits
        return self._words.texts.value(value, type)

    def _entries(self, name: str) -> list[Entry]:
        return [e for e in (*self._system.entries, self._system.init) if e is not None and e.name == name]

    def _returns_something(self, name: str) -> bool:
        functions = self._system.program.functions
        return any(not isinstance(functions[e.function].result, Void) for e in self._entries(name))

    def _pointers(self, shown: Shown) -> set[int]:
        """Arguments of a call from outside that lead to something whose content is shown."""
        if shown.verb is not Verb.CALL:
            return set()
        return {
            n for e in self._entries(shown.name) for n, a in enumerate(e.arguments) if isinstance(a, Pointed | Filled)
        }

    def _is_open(self, shown: Shown) -> bool:
        """Whether a label may have more parts: what a function has written is shown when it returns."""
        external = self._system.externals.get(shown.name)
        if shown.verb is Verb.CALL:
            declared = self._system.program.declarations.get(shown.name) if external is not None else None
            return declared is not None and not all(is_scalar(p.type) for p in declared.parameters)
        if shown.verb is not Verb.RETURN:
            return False
        entries = self._entries(shown.name)
        by_entry = any(isinstance(a, Pointed | Filled) for e in entries for a in e.arguments)
        return by_entry or (external is not None and (bool(external.writes) or external.beside is not None))

    def _meant(
        self, number: int, shown: Shown, parts: list[_Part], texts: list[int | None], *, is_open: bool
    ) -> bool | None:
        """Whether a pattern means the action; None: not known."""
        matches, pattern = self._matchers[number], self.patterns[number]
        is_exact = not is_open and all(part.is_known for part in parts)
        if is_exact:
            return matches(_label(shown.verb, [part.text for part in parts]))
        if not _is_plain(pattern):
            return None
        answers = {
            matches(_label(shown.verb, [*self._with(parts, texts, strange), *more]))
            for strange in _STRANGE
            for more in ([(), (strange,), (strange, strange)] if is_open else [()])
        }
        if answers == {True}:
            return True
        if answers == {False} and not is_open and all(p.is_known or p.term is not None for p in parts):
            return False
        return None if _may_be(pattern, shown) else False

    def _with(self, parts: list[_Part], texts: list[int | None], strange: str) -> list[str]:
        found = []
        for part, at in zip(parts, texts, strict=True):
            if part.is_known:
                found.append(part.text)
            elif at is not None and at < len(part.options):
                found.append(part.options[at][1])
            else:
                found.append(strange)
        return found


def _label(verb: Verb, texts: Sequence[str]) -> str:
    return str(Action(verb, texts[0], tuple(texts[1:])))


def _is_plain(pattern: str) -> bool:
    """Whether a pattern asks of each argument whether it is a text, or nothing at all."""
    if pattern.startswith("re:") or "\\" in pattern or "?" in pattern:
        return False
    head, opened, inside = pattern.partition("(")
    if not opened:
        return "*" not in pattern[:-1]
    texts = split_arguments(inside.removesuffix(")"))
    return all(text == "*" or "*" not in text for text in (head, *texts))


def _may_be(pattern: str, shown: Shown) -> bool:
    """Never False for an action that a plain pattern means."""
    wanted = parsed(pattern)
    if "(" not in pattern:
        return True
    if wanted.head not in ("*", shown.verb.value):
        return False
    return shown.verb is Verb.EXIT or wanted.inside[:1] in ((), ("*",), (shown.name,))

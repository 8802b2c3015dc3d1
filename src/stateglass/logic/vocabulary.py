"""Whether claims speak of what a model has: a name that no state or label has is a mistake, not a silent false."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from fnmatch import filter as filter_names
from itertools import repeat
from typing import Final, final

from stateglass.logic.claims import Claim, Fairness, Language, Recorded
from stateglass.logic.modal import Equals
from stateglass.logic.predicates import Applied, Named
from stateglass.logic.predicates import Text as Compared
from stateglass.logic.reading.text import Text
from stateglass.logic.steps import Do, Like
from stateglass.logic.temporal import Happens
from stateglass.model import TAU, Verb, parsed
from stateglass.source import MOST_NAMES, NOWHERE, Code, Diagnostic, InputError, Span, close_match, suggestion, there_is

_KINDS: Final = frozenset((*(verb.value for verb in Verb), TAU))
_KIND_WORDS: Final = {"label": "label", "event": "event", "recorded": "event like"}
_STABLE_HELP: Final = "only models of code say which states are between calls; without `when` a test needs no `stable`"
_OF_SCENARIOS: Final = ("rises", "falls")
MOST_OTHERS: Final = 4
_EXIT: Final = re.compile(r"exit\((-?[0-9]+|[-0-9*?]*[*?][-0-9*?]*)\)")


@final
@dataclass(frozen=True, slots=True)
class OddText:
    """A text that a claim compares with a value and that no value has."""

    help: str
    may_come: bool = False  # more than was explored might have it


@final
@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words of a model: labels, and the names of propositions and enumerators.

    `has_event` says whether a pattern means any label or error, which for an abstraction is more than a matter of text.
    """

    labels: frozenset[str]
    names: frozenset[str]
    has_event: Callable[[str], bool]
    errors: frozenset[str]  # all that there are: what a program does not do of these is worth asking
    is_partial: bool = False  # there may be labels that were not met
    odd_text: Callable[[str, str], OddText | None] = lambda name, text: None
    stands_for: Callable[[str], bool] | None = None  # whether a label of an abstraction may be this one
    words: frozenset[str] = frozenset()  # other words for events, which somebody has defined
    elsewhere: Callable[[str], Sequence[str]] = lambda name: ()  # what states call what the code calls so


def is_kind_of_action(pattern: str) -> bool:
    """Whether a pattern speaks of actions that any model may have, such as `exit(3)`, `tau` or `*`."""
    return pattern in _KINDS or pattern == "*" or _EXIT.fullmatch(pattern) is not None


def check_words(claims: Iterable[Claim], vocabulary: Vocabulary) -> None:
    """Refuses claims with names that the model does not have, all at once."""
    problems = [problem for claim in claims for problem in unknown_words(claim, vocabulary)]
    if problems:
        raise InputError(problems)


def unknown_words(claim: Claim, vocabulary: Vocabulary) -> tuple[Diagnostic, ...]:
    """What is wrong with the names in a claim; each name is reported once.

    In a partial model, an event that was not met is no mistake: `unmet_events` has it.
    """
    at = claim.span.start
    text = Text(claim.text, at.file, at.line, at.column) if at.file else Text(claim.text)
    for odd in odd_words((claim.content, claim.fairness), vocabulary, exactly=claim.language is Language.MU):
        text.problem_at(odd.span, odd.message, odd.help, odd.code)
    return tuple(sorted(text.problems, key=lambda d: d.span))


def odd_words(content: object, vocabulary: Vocabulary, *, exactly: bool = False) -> Iterator[Diagnostic]:
    """What is wrong with the names in formulas; `exactly`: a name alone stands for no label with arguments."""
    for kind, name, span in _unknown(content, vocabulary):
        if kind == "name":
            readings = _readings(name, vocabulary)
            if readings:
                told = ", ".join(f"`{reading}`" for reading in readings)
                help = f"in a predicate, names like these stand in back quotes: [`{readings[0]}` == 0]"
                message = f"`{name}` is ambiguous: it may be {told}"
                yield Diagnostic(Code.AMBIGUOUS_NAME, message, span, help=help)
                continue
            message = f"the model has no proposition or enumerator `{name}`"
            yield Diagnostic(Code.UNKNOWN_NAME, message, span, help=_instead(name, vocabulary))
        elif not vocabulary.is_partial:
            help = _labels(name, vocabulary, exactly=exactly)
            yield Diagnostic(Code.UNKNOWN_NAME, f"the model has no {_KIND_WORDS[kind]} `{name}`", span, help=help)
    for named, asked, odd in _odd_texts(content, vocabulary):
        if not (odd.may_come and vocabulary.is_partial):
            message = f'no value of `{named.name}` is written "{asked}"'
            yield Diagnostic(Code.UNKNOWN_NAME, message, named.span, help=odd.help)


def _instead(name: str, vocabulary: Vocabulary) -> str:
    """What to write in place of a name that the model does not have."""
    if name == "stable":
        return _STABLE_HELP
    if others := [other for other in vocabulary.elsewhere(name) if other in vocabulary.names]:
        listed = ", ".join(f"`{other}`" for other in others[:MOST_OTHERS])
        more = ", …" if len(others) > MOST_OTHERS else ""
        return f"it shares its place with other members of a union; states call what is there {listed}{more}"
    if "->" in name:
        last = name.rpartition("->")[2]
        own = sorted(known for known in vocabulary.names if known.endswith(f".{last}"))
        example = f", as in `{own[0]}`" if own else ""
        pointer = name.rpartition("->")[0]
        if last in vocabulary.names and pointer in vocabulary.names:
            return f"a claim follows no pointers; for an implication write `[{pointer}] => [{last}]`"
        return f"a claim follows no pointers: name the variable that `{pointer}` leads to{example}"
    written = sorted(map(_as_written, vocabulary.names), key=lambda n: (n.startswith('"'), n))
    return close_match(name, written) or there_is(written)


def _readings(name: str, vocabulary: Vocabulary) -> list[str]:
    """The variables of several files that a name without a file may mean; a number is no file, but part of a union."""
    found: list[str] = []
    for known in sorted(vocabulary.names):
        before, file, behind = known.partition("@")
        if file and not behind.isdecimal() and name.startswith(before) and behind.endswith(name[len(before) :]):
            rest = name[len(before) :]
            if not rest or rest.startswith((".", "[", "::")):
                found.append(known)
    return found


def _as_written(name: str) -> str:
    """A value as it is written in a predicate: an address is a text, not a name."""
    return f'"{name}"' if name.startswith("&") else name


def unmet_events(claim: Claim, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Sentences about events of a claim that a partial model has not met so far; none for other models."""
    return unmet_in((claim.content, claim.fairness), vocabulary, exactly=claim.language is Language.MU)


def unmet_in(content: object, vocabulary: Vocabulary, *, exactly: bool = False) -> tuple[str, ...]:
    """The same of formulas."""
    if not vocabulary.is_partial:
        return ()
    found: list[str] = []
    for kind, name, _ in _unknown(content, vocabulary):
        if kind != "name":
            close = close_match(name, _known_events(vocabulary, exactly=exactly) | vocabulary.errors)
            question = f" {close[:1].upper()}{close[1:]}" if close else ""
            found.append(f"No {_KIND_WORDS[kind]} `{name}` was met in what was explored.{question}")
    found += [
        f'No value "{asked}" of `{named.name}` was met in what was explored.'
        for named, asked, odd in _odd_texts(content, vocabulary)
        if odd.may_come
    ]
    return tuple(found)


def _odd_texts(content: object, vocabulary: Vocabulary) -> Iterator[tuple[Named, str, OddText]]:
    """The texts that no value has, with what they are compared with, each once."""
    seen: set[tuple[str, str]] = set()
    for node in nodes_in(content):
        match node:
            case Applied(operands=(Named() as named, Compared(asked)) | (Compared(asked), Named() as named)):
                odd = vocabulary.odd_text(named.name, asked) if (named.name, asked) not in seen else None
                seen.add((named.name, asked))
                if odd is not None:
                    yield named, asked, odd
            case _:
                pass


def _unknown(content: object, vocabulary: Vocabulary) -> Iterator[tuple[str, str, Span]]:
    """The names that the model does not have, each once."""
    seen: set[tuple[str, str]] = set()
    for kind, name, span in _words(content):
        if (kind, name) in seen:
            continue
        seen.add((kind, name))
        match kind:
            case "name":
                # What changes may be a pattern.
                known = name in vocabulary.names or ("*" in name and bool(filter_names(vocabulary.names, name)))
            case "label":
                may_be = vocabulary.stands_for
                known = name in vocabulary.labels | vocabulary.errors or name == "tau" or bool(_EXIT.fullmatch(name))
                known = known or (may_be is not None and may_be(name))
            case "event":
                known = is_kind_of_action(name) or vocabulary.has_event(name)
            case "recorded":
                known = vocabulary.has_event(name) or _is_imaginable(name, vocabulary)
            case _:
                raise AssertionError(f"`{kind}` is no kind of words")
        if not known:
            yield kind, name, span


def _is_imaginable(event: str, vocabulary: Vocabulary) -> bool:
    """Whether the model has the same action with other values: a test may expect what does not come true."""
    asked = parsed(event)
    known = any((asked.verb, asked.name) == (own.verb, own.name) for own in map(parsed, vocabulary.labels))
    return known or is_kind_of_action(event)


def _labels(name: str, vocabulary: Vocabulary, *, exactly: bool) -> str:
    """The labels that may have been meant; those with the same name and other arguments first.

    `exactly`: a name alone stands for no label with arguments.
    """
    head, _, arguments = name.partition("(")
    actions = {label: parsed(label) for label in vocabulary.labels}
    calls = [action for action in actions.values() if action.verb is Verb.CALL and action.name == head]
    if calls:
        # What C calls a call of `f` is `call(f, …)` here.
        given = arguments.removesuffix(")") or ("*" if any(action.arguments for action in calls) else "")
        return f"did you mean `call({head}, {given})`?" if given else f"did you mean `call({head})`?"
    own = sorted(label for label, action in actions.items() if action.head == head)
    if head in _OF_SCENARIOS and not own:
        return f"`{head}` is for scenarios; a claim says what holds, in brackets: [x > 0]"
    if own and "(" not in name:
        return f"{suggestion('', own)}; `{name}(*)` is all of them" if exactly else suggestion("", own)
    known = _known_events(vocabulary, exactly=exactly)
    close = close_match(name, known | vocabulary.errors)
    return close or there_is(sorted(known) if len(known) <= MOST_NAMES else _kinds_of_events(vocabulary))


def _kinds_of_events(vocabulary: Vocabulary) -> list[str]:
    """Patterns for the labels of a model and other words for events: of what has many arguments, one for all."""
    alike: dict[str, list[str]] = {}
    for label in vocabulary.labels:
        action = parsed(label)
        name = "" if action.verb is None else f"{action.name}, "
        alike.setdefault(f"{action.head}({name}*)" if action.arguments else label, []).append(label)
    return sorted({*(kind if len(found) > 1 else found[0] for kind, found in alike.items()), *vocabulary.words})


def _known_events(vocabulary: Vocabulary, *, exactly: bool) -> frozenset[str]:
    names = frozenset[str]() if exactly else {parsed(label).head for label in vocabulary.labels}
    return vocabulary.labels | vocabulary.words | names


def _words(content: object) -> Iterator[tuple[str, str, Span]]:
    """The names of values, labels and event patterns in formulas, with their places, in the order of the text."""
    for node in nodes_in(content):
        match node:
            case Named():
                yield "name", node.name, node.span
            case Equals():
                yield "name", node.proposition, NOWHERE
            case Do():
                yield "label", node.label, node.span
            case Happens() | Like() | Fairness():
                yield "event", node.pattern, node.span
            case Recorded():
                for event, span in zip(node.events, node.spans or repeat(NOWHERE), strict=False):
                    yield "recorded", event, span
            case _:
                pass


def nodes_in(root: object) -> Iterator[object]:
    """Everything that a formula consists of, each part once; formulas are too deep for recursion."""
    work, seen = [root], set[int]()
    while work:
        node = work.pop()
        if isinstance(node, tuple):
            work += reversed(node)
        elif is_dataclass(node) and not isinstance(node, Span) and id(node) not in seen:
            seen.add(id(node))
            yield node
            work += [getattr(node, field.name) for field in reversed(fields(node))]

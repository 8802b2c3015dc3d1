"""Who moves together in a parallel composition: by alphabets, by named labels, or by communication as in mCRL2."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, final

from stateglass.model import TAU, Model, parsed
from stateglass.model.actions import is_multiple
from stateglass.relate.patterns import Pattern
from stateglass.source import Code, Diagnostic, InputError, input_error, suggestion

MOST_RULES: Final = 1_000_000
_NAME = re.compile(r"[^()|]+")


@final
@dataclass(frozen=True, slots=True)
class Rule:
    """These components take a step at the same time, each with its own label; it shows as `result`."""

    components: tuple[int, ...]
    labels: tuple[str, ...]
    result: str


@final
@dataclass(frozen=True, slots=True)
class Communication:
    """`a|b->c`: actions of these names with equal arguments, done by as many components, are one action `c`."""

    names: tuple[str, ...]
    result: str

    @staticmethod
    def of(text: str) -> Communication:
        left, arrow, result = (part.strip() for part in text.partition("->"))
        names = [name.strip() for name in left.split("|")]
        if not arrow or len(names) < 2 or not all(_NAME.fullmatch(name) for name in [*names, result]):
            help = "write the names of actions, without arguments: a|b->c"
            raise input_error(Code.USAGE, f"`{text}` is no communication", help=help)
        if TAU in names:
            raise input_error(Code.USAGE, f"`{text}`: silent steps do not communicate", help="name actions: a|b->c")
        if result == TAU:
            help = f"write {left}->c, and make c silent afterwards: stateglass transform OUT --hide c"
            raise input_error(
                Code.USAGE, f"`{text}`: the result of a communication is an action with a name", help=help
            )
        return Communication(tuple(sorted(names)), result)


def by_alphabets(models: Sequence[Model], shared: Sequence[Pattern] | None = None) -> list[Rule]:
    """A visible action is taken by all components that have its label, at once.

    `shared` limits this to the labels that match; every other action is taken by one component alone, as `tau` always
    is. The alphabet of a model is its table of labels, also those it never does: with less, composition would not be
    associative. (Hoare, Communicating sequential processes, 1985, section 2.3.)
    """
    rules = [Rule((i,), (TAU,), TAU) for i, model in enumerate(models) if TAU in model.labels]
    labels = list(dict.fromkeys(label for model in models for label in model.labels if label != TAU))
    together = set(labels) if shared is None else {label for pattern in shared for label in pattern.among(labels)}
    for label in labels:
        owners = tuple(i for i, model in enumerate(models) if label in model.labels)
        groups = [owners] if label in together else [(i,) for i in owners]
        rules += [Rule(group, (label,) * len(group), label) for group in groups]
    return rules


def by_communication(
    models: Sequence[Model], communications: Sequence[Communication], allowed: Sequence[str] | None
) -> list[Rule]:
    """Components step alone or at once; steps at once are multi-actions `a|b`, in which communications apply.

    Of what comes out, only the multi-actions in `allowed` happen (all without it), as with `allow` and `comm` of mCRL2
    (Groote and Mousavi, Modeling and analysis of communicating systems, 2014, chapter 5). A silent step is taken alone.
    """
    _check(models, communications)
    alphabets = [[label for label in model.labels if label != TAU] for model in models]
    rules = [Rule((i,), (TAU,), TAU) for i, model in enumerate(models) if TAU in model.labels]
    if allowed is None:
        return rules + _all_steps(alphabets, communications)
    results = {communication.result for communication in communications}
    names = {_name(label) for alphabet in alphabets for label in alphabet} | results
    wanted = [tuple(sorted(part.strip() for part in text.split("|"))) for text in allowed]
    unknown = [name for name in dict.fromkeys(name for bag in wanted for name in bag) if name not in names]
    if unknown:
        raise InputError(_unknown(name, names) for name in unknown)
    found: dict[Rule, None] = {}
    for bag in dict.fromkeys(wanted):
        for groups in _origins(bag, communications):
            for moved in _assignments(groups, alphabets):
                labels = tuple(label for _, label in moved)
                result = _result(labels, communications)
                # What was not to communicate may do so after all, and is another multi-action then.
                if tuple(sorted(map(_name, result))) == bag:
                    found[Rule(tuple(i for i, _ in moved), labels, "|".join(result))] = None
                _check_number(len(found))
    return rules + list(found)


def _unknown(name: str, names: set[str]) -> Diagnostic:
    """What to say about an action that is to be allowed and that no model has."""
    there = suggestion(name, names) or "the models have no visible actions"
    if _name(name) in names:
        there = f"actions are allowed by their names, without arguments: `{_name(name)}`"
    return Diagnostic(Code.UNKNOWN_NAME, f"no model has an action `{name}`", help=there)


def _check(models: Sequence[Model], communications: Sequence[Communication]) -> None:
    """mCRL2's own conditions: otherwise it would matter which communication comes first."""
    for i, model in enumerate(models, start=1):
        for label in model.labels:
            if is_multiple(label):
                message = f"`{label}` of model {i} is a multi-action already"
                raise input_error(Code.USAGE, message, help="compose all models in one command")
    counts = Counter(name for communication in communications for name in set(communication.names))
    for name, count in counts.items():
        if count > 1:
            raise input_error(Code.USAGE, f"the action `{name}` takes part in {count} communications; one is allowed")
    for communication in communications:
        if communication.result in counts:
            message = f"`{communication.result}` is the result of one communication and takes part in another"
            raise input_error(Code.USAGE, message)


def _all_steps(alphabets: Sequence[list[str]], communications: Sequence[Communication]) -> list[Rule]:
    rules: list[Rule] = []
    number = 1
    for alphabet in alphabets:
        number *= len(alphabet) + 1
    _check_number(number)
    for choice in itertools.product(*([None, *alphabet] for alphabet in alphabets)):
        moved = [(i, label) for i, label in enumerate(choice) if label is not None]
        if moved:
            labels = tuple(label for _, label in moved)
            result = "|".join(_result(labels, communications))
            rules.append(Rule(tuple(i for i, _ in moved), labels, result))
    return rules


def _check_number(number: int) -> None:
    if number > MOST_RULES:
        message = f"more than {MOST_RULES:,} ways to take steps at once"
        raise input_error(Code.TOO_LARGE, message, help="say with --allow which actions may happen")


def _origins(bag: tuple[str, ...], communications: Sequence[Communication]) -> Iterator[list[tuple[str, ...]]]:
    """What the components may do for this multi-action: each of its actions is one of theirs, or a communication."""
    choices = [[(name,), *(c.names for c in communications if c.result == name)] for name in bag]
    seen: set[tuple[tuple[str, ...], ...]] = set()
    for choice in itertools.product(*choices):
        groups = tuple(sorted(choice))
        if groups not in seen:
            seen.add(groups)
            yield list(groups)


def _assignments(groups: list[tuple[str, ...]], alphabets: Sequence[list[str]]) -> Iterator[list[tuple[int, str]]]:
    """Every way to give the actions to different components; those of one group have equal arguments."""
    names = [name for group in groups for name in group]
    if len(names) > len(alphabets):
        return
    arguments: list[dict[str, list[str]]] = []
    for alphabet in alphabets:
        by_name: dict[str, list[str]] = {}
        for label in alphabet:
            by_name.setdefault(_name(label), []).append(label.removeprefix(_name(label)))
        arguments.append(by_name)
    able = [[i for i, by_name in enumerate(arguments) if name in by_name] for name in names]
    for who in itertools.product(*able):
        if len(set(who)) < len(who):
            continue
        options: list[list[tuple[str, ...]]] = []
        at = 0
        for group in groups:
            owners = who[at : at + len(group)]
            at += len(group)
            lists = [arguments[i][name] for i, name in zip(owners, group, strict=True)]
            common = set(lists[0]).intersection(*lists[1:])
            shared = [text for text in lists[0] if text in common]
            options.append([tuple(name + text for name in group) for text in shared])
        for choice in itertools.product(*options):
            yield sorted(zip(who, itertools.chain.from_iterable(choice), strict=True))


def _result(labels: Sequence[str], communications: Sequence[Communication]) -> list[str]:
    """The actions of the multi-action in order, after communications were applied as often as they can be."""
    left = Counter((_name(label), label.removeprefix(_name(label))) for label in labels)
    result: list[str] = []
    for communication in communications:
        need = Counter(communication.names)
        for text in sorted({text for _, text in left}):
            while all(left[name, text] >= count for name, count in need.items()):
                for name, count in need.items():
                    left[name, text] -= count
                result.append(communication.result + text)
    return sorted([*result, *(name + text for (name, text), n in left.items() for _ in range(n))])


def _name(label: str) -> str:
    """`send` of `send(3)`; a label of another shape is a name as a whole."""
    return parsed(label).head

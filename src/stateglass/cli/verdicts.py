"""Claims and scenarios on both sides of a difference: which are asked, and their verdicts before and after."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar, final

from stateglass.answers.checking import check_claims, refuse_unknown_words
from stateglass.answers.scenarios import tell
from stateglass.cli.asking import claims_asked
from stateglass.cli.sides import Asked, Given, Source
from stateglass.cli.stories import EXTENSION, StoryOptions, story_asked
from stateglass.evidence import Answer, Met
from stateglass.logic.claims import BuiltIn, Claim
from stateglass.logic.sentences import sentence as claim_sentence
from stateglass.model import Model
from stateglass.operations.expecting import ChangedClaim as ExpectedClaim
from stateglass.operations.expecting import Expectation, in_words_of
from stateglass.options.recorded import recorded
from stateglass.scenarios.english import sentence as story_sentence
from stateglass.scenarios.language import Scenario, Story
from stateglass.scenarios.vocabulary import refuse_unknown_words as refuse_unknown_words_of_stories
from stateglass.scenarios.vocabulary import with_words_used
from stateglass.source import Code, InputError, input_error, suggestion
from stateglass.views.claims.cards import Card
from stateglass.views.differences.words import ChangedClaim, verdict_word
from stateglass.work import Progress

Asking = TypeVar("Asking", Claim, Scenario)
Both = tuple[Sequence[Claim], Sequence[Claim]]


@final
@dataclass(frozen=True, slots=True)
class Questions:
    """What is asked on the command line."""

    claims: tuple[str, ...] = ()
    claims_file: str | None = None
    story: StoryOptions = field(default_factory=StoryOptions)
    story_files: tuple[str, ...] = ()


@final
@dataclass(frozen=True, slots=True)
class Answers:
    """The answers of one side by their number, and why some could not be asked."""

    cards: Mapping[int, Card] = field(default_factory=dict)
    refused: Mapping[int, str] = field(default_factory=dict)
    interrupted: bool = False


@final
@dataclass(frozen=True, slots=True)
class Verdicts:
    """Verdicts before and after."""

    claims: tuple[ChangedClaim, ...] = ()
    scenarios: tuple[ChangedClaim, ...] = ()
    interrupted: bool = False

    def met(self, expectations: Sequence[Expectation], met: Sequence[Met]) -> tuple[Met, ...]:
        """What was declared, with an answer for what was declared of verdicts."""
        return tuple(
            replace(one, unmet=self._unmet(expectation)) if isinstance(expectation, ExpectedClaim) else one
            for expectation, one in zip(expectations, met, strict=True)
        )

    def _unmet(self, expected: ExpectedClaim) -> str:
        pairs = (*self.claims, *self.scenarios)
        pair = next((pair for pair in pairs if expected.claim in (pair.title, pair.text)), None)
        if pair is None:
            hint = suggestion(expected.claim, [pair.title for pair in pairs])
            return f"there is no claim `{expected.claim}`" + (f"; {hint}" if hint else "")
        before, after = verdict_word(pair.before), verdict_word(pair.after)
        if after == expected.verdict.value:
            return f"before it was {after}, too" if before == after else ""
        return f"its verdict is now `{after}`"


def asked_of_both(
    sides: tuple[Given, Given],
    sources: tuple[Source, Source],
    asked: Asked,
    questions: Questions,
    expectations: Sequence[Expectation],
) -> tuple[Both, tuple[Story, Story]]:
    """What is asked: claims of the new side's project, of code that there is no error; each side by its own names."""
    new = 1 if sources[1].options is not None else 0
    code = any(source.options is not None for source in sources)
    files = tuple(sides[new].files) or tuple(f for f in (sides[new].folder,) if f is not None)
    with sources[new].entered():
        claims, unread = claims_asked(
            questions.claims, questions.claims_file, {"files": files}, asked.project, default=code
        )
    if unread:
        raise InputError(unread)
    odd = [file for file in questions.story_files if not file.endswith(EXTENSION)]
    if odd:
        raise input_error(Code.USAGE, f"`{odd[0]}`: files of scenarios are called `NAME{EXTENSION}`")
    stories = []
    # Files that are named are files from here, those of the project are files of its version.
    with nullcontext() if questions.story_files else sources[new].entered():
        for old in (True, False):
            rewritten = partial(in_words_of, expectations=expectations, old=old, variables=True)
            named: dict[str, object] = {"files": (*files, *questions.story_files)}
            stories.append(story_asked(named, asked.project, questions.story, rewritten)[1])
    both = (_renamed(claims, expectations, old=True), _renamed(claims, expectations, old=False))
    return both, (stories[0], stories[1])


def _renamed(claims: Sequence[Claim], expectations: Sequence[Expectation], *, old: bool) -> list[Claim]:
    from stateglass.logic.reading import read_claim

    result = []
    for claim in claims:
        is_word = isinstance(claim.content, BuiltIn)
        text = claim.text if is_word else in_words_of(claim.text, expectations, old=old, variables=True)
        result.append(claim if text == claim.text else read_claim(text, name=claim.title))
    return result


def answered(
    claims: Both,
    stories: tuple[Story, Story],
    sources: tuple[Source, Source],
    expectations: Sequence[Expectation],
    progress: Progress,
    *,
    over: bool,
) -> Verdicts:
    """All verdicts; when it is `over`, or once somebody does not want to wait, no more are looked for."""
    found: list[list[Answers]] = [[], []]
    for source, own, story in zip(sources, claims, stories, strict=True):
        for kind, work in enumerate(
            (partial(_claims, source, own, progress), partial(_scenarios, source, story, progress))
        ):
            found[kind].append(Answers(interrupted=True) if over else work())
            over = found[kind][-1].interrupted
    declared = {e.claim: e.verdict for e in expectations if isinstance(e, ExpectedClaim)}
    pairs: list[tuple[ChangedClaim, ...]] = []
    questions: tuple[tuple[Sequence[Claim | Scenario], list[Answers]], ...] = (
        (claims[1], found[0]),
        (stories[1].scenarios, found[1]),
    )
    for asked, told in questions:
        for number in told[0].refused.keys() & told[1].refused.keys():
            message = f"`{asked[number].title}` is about neither side: {told[1].refused[number]}"
            raise input_error(Code.CLAIM, message, asked[number].span)
        pairs.append(tuple(_pair(number, one, told, declared) for number, one in enumerate(asked)))
    return Verdicts(pairs[0], pairs[1], over)


def _pair(
    number: int, asked: Claim | Scenario, told: Sequence[Answers], declared: Mapping[str, object]
) -> ChangedClaim:
    before, after = (answers.cards.get(number) for answers in told)
    reasons = zip(("old", "new"), (answers.refused.get(number, "") for answers in told), strict=True)
    why = next((f"not asked of the {which} side: {reason}" for which, reason in reasons if reason), "")
    verdict = declared.get(asked.title, declared.get(asked.text))
    expected = after is not None and verdict is after.answer.verdict
    return ChangedClaim(asked.title, asked.text, before, after, why, expected)


def _claims(source: Source, claims: Sequence[Claim], progress: Progress) -> Answers:
    askable, refused = _askable(claims, lambda claim: refuse_unknown_words([claim], source.model, all_met=False))
    if not askable:
        return Answers({}, refused)
    own = list(askable.values())
    if source.options is None:
        found = check_claims(source.model, own, progress=progress)
    else:
        from stateglass.pipeline import check_program

        with source.entered():
            found = check_program(source.options, own, progress=progress).checking
    # Fewer than there are claims, if somebody did not want to wait.
    numbers = {id(claim): number for number, claim in askable.items()}
    cards = {
        numbers[id(c.claim)]: _card(
            c.claim, claim_sentence(c.claim), c.answer, c.model, c.asked or c.model, _subject(source, c.watch)
        )
        for c in found.checked
    }
    return Answers(cards, refused, found.interrupted)


def _scenarios(source: Source, story: Story, progress: Progress) -> Answers:
    def refuse(scenario: Scenario) -> object:
        words = with_words_used([scenario], story.vocabulary)
        return refuse_unknown_words_of_stories(words, [scenario], source.model, all_met=False)

    askable, refused = _askable(story.scenarios, refuse)
    if not askable:
        return Answers({}, refused)
    own = list(askable.values())
    words = with_words_used(own, story.vocabulary)
    if source.options is None:
        found = tell(source.model, words, own, progress=progress)
    else:
        from stateglass.pipeline import tell_program

        with source.entered():
            found = tell_program(source.options, words, own, progress=progress).telling
    subject = _subject(source, found.watch)
    cards = {
        number: _card(t.scenario, story_sentence(t.scenario), t.answer, t.model, found.model, subject)
        for number, t in zip(askable, found.told, strict=False)
    }
    return Answers(cards, refused, found.interrupted)


def _askable(asked: Sequence[Asking], refuse: Callable[[Asking], object]) -> tuple[dict[int, Asking], dict[int, str]]:
    """By number, what the words of a side suffice for, and why they do not for the others."""
    askable: dict[int, Asking] = {}
    refused: dict[int, str] = {}
    for number, one in enumerate(asked):
        try:
            refuse(one)
            askable[number] = one
        except InputError as error:
            # What stands below the first line shows a place in a text that is shown already.
            refused[number] = "; ".join(d.message.partition("\n")[0] for d in error.diagnostics)
    return askable, refused


def _subject(source: Source, watch: frozenset[str]) -> Mapping[str, object]:
    """What a replay needs; it compiles working files, and a revision is none."""
    return {} if source.options is None or source.checkout is not None else recorded(source.options, watch)


def _card(
    asked: Claim | Scenario, meaning: str, answer: Answer, model: Model, origin: Model, subject: Mapping[str, object]
) -> Card:
    return Card(asked.title, asked.text, meaning, answer, model, origin, subject)

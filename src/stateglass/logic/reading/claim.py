"""Reads claims: which language a text is in, what it assumes of runs, and what it says."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final, assert_never, final

from stateglass.logic import modal, temporal
from stateglass.logic.claims import BuiltIn, Claim, Conforms, Fairness, Language, Recorded
from stateglass.logic.pattern_formulas import requirement_formula
from stateglass.logic.patterns import Requirement
from stateglass.logic.reading.english import misspelt_verb, read_requirement, sounds_english
from stateglass.logic.reading.formulas import read_ctl, read_ltl
from stateglass.logic.reading.modal import read_modal
from stateglass.logic.reading.recorded import read_recorded
from stateglass.logic.reading.scanning import event_at
from stateglass.logic.reading.text import COMMAND_LINE, Text
from stateglass.source import close_match, shown

Content = temporal.Formula | modal.Formula | Recorded | BuiltIn | Conforms

MOST_CHARACTERS: Final = 10_000_000
_PREFIX: Final = re.compile(r"([^\W\d][\w-]*)\s*:(?!:)")
_LANGUAGES: Final = {language.value: language for language in (Language.LTL, Language.CTL, Language.MU, Language.TEST)}
_CONFORMS: Final = re.compile(r"conforms\s+to\s+(\S.*)", re.DOTALL)
_ASSUME: Final = re.compile(r"assume\b\s*")
_FAIR: Final = re.compile(r"(?:(weak|strong|weakly|strongly)\s+)?fair\s*\(\s*")
_SEPARATOR: Final = re.compile(r"\s*(,|:|$)\s*")
_CLOSE: Final = re.compile(r"\s*\)")
_FAIRNESS_HELP: Final = "write `assume fair(tick), strong fair(tock): CLAIM`"


def read_claim(text: str, file: str = COMMAND_LINE, line: int = 1, column: int = 1, name: str = "") -> Claim:
    """The claim that a text says; everything that is wrong with it is said at once."""
    source = Text(text, file, line, column)
    claim = read_from(source, 0, len(text), name)
    source.check()
    assert claim is not None
    return claim


def read_from(text: Text, start: int, end: int, name: str = "") -> Claim | None:
    """The claim in some of the characters; None after problems were noted."""
    start, end = _stripped(text.text, start, end)
    if start == end:
        text.problem("a claim is empty", start, end, "write one as in G(call => F return)")
        return None
    if end - start > MOST_CHARACTERS:
        text.problem(f"a claim has at most {MOST_CHARACTERS:,} characters", start, start + 1)
        return None
    known = len(text.problems)
    fairness, position = _fairness(text, start, end)
    language, position = _language(text, position, end)
    if language is not None and not fairness:
        fairness, position = _fairness(text, position, end)
    if len(text.problems) > known:
        return None
    found = _content(text, language, position, end)
    if found is None:
        assert text.problems, "what cannot be read has a problem"
        return None
    if fairness and found.language in (Language.MU, Language.TEST, Language.BUILT_IN):
        help = "assume it in a claim in LTL, CTL or English"
        text.problem("fairness is about runs, and this claim is not", start, position, help)
    if len(text.problems) > known:
        return None
    whole = text.text[start:end]
    return Claim(whole, found.language, found.content, name, fairness, text.span(start, end), found.requirement)


@final
@dataclass(frozen=True, slots=True)
class _Read:
    """What a claim says, in which language."""

    language: Language
    content: Content
    requirement: Requirement | None = None


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _language(text: Text, start: int, end: int) -> tuple[Language | None, int]:
    match = _PREFIX.match(text.text, start, end)
    if match is None or match[1] == "assume":
        return None, start
    position, _ = _stripped(text.text, match.end(), end)
    if match[1] not in _LANGUAGES:
        help = close_match(match[1], _LANGUAGES) or "there is `ltl:`, `ctl:`, `mu:` and `test:`"
        text.problem(f"there is no language {shown(match[1])} of claims", start, match.end(1), help)
    return _LANGUAGES.get(match[1]), position


def _content(text: Text, language: Language | None, start: int, end: int) -> _Read | None:
    match language:
        case None:
            return _without_prefix(text, start, end)
        case Language.LTL:
            content: Content | None = read_ltl(text, start, end)
        case Language.CTL:
            content = read_ctl(text, start, end)
        case Language.MU:
            content = read_modal(text, start, end)
        case Language.TEST:
            content = read_recorded(text, start, end)
        case Language.ENGLISH | Language.BUILT_IN:
            raise AssertionError("these have no prefix")
        case _:
            assert_never(language)
    return None if content is None else _Read(language, content)


def _without_prefix(text: Text, start: int, end: int) -> _Read | None:
    """A built-in claim, English if it reads as that, else LTL, or CTL if it is right only as that."""
    if built_in := {claim.value: claim for claim in BuiltIn}.get(text.text[start:end]):
        return _Read(Language.BUILT_IN, built_in)
    if conforms := _CONFORMS.fullmatch(text.text, start, end):
        return _Read(Language.BUILT_IN, Conforms(conforms[1].strip()))
    if sounds_english(text.text[start:end]):
        attempt = text.again()
        requirement = read_requirement(attempt, start, end)
        if requirement is not None and not attempt.problems:
            return _Read(Language.ENGLISH, requirement_formula(requirement), requirement)
        other = text.again()
        formula = read_ltl(other, start, end)
        if formula is not None and not other.problems:
            return _Read(Language.LTL, formula)
        text.problems += attempt.problems
        return None
    linear, branching = text.again(), text.again()
    formula = read_ltl(linear, start, end)
    # `AG` and the like belong to CTL alone; a claim that is right as both is LTL.
    if linear.problems and (content := read_ctl(branching, start, end)) is not None and not branching.problems:
        return _Read(Language.CTL, content)
    # Two names side by side are no formula; one of them may be a verb.
    verb = misspelt_verb(text.text[start:end]) if linear.problems else ""
    text.problems += [replace(problem, help=verb) for problem in linear.problems[:1]] if verb else linear.problems
    return None if formula is None else _Read(Language.LTL, formula)


def _fairness(text: Text, start: int, end: int) -> tuple[tuple[Fairness, ...], int]:
    """The fairness that a claim assumes, and the position behind its colon."""
    match = _ASSUME.match(text.text, start, end)
    if match is None:
        return (), start
    found: list[Fairness] = []
    position = match.end()
    while True:
        fair = _FAIR.match(text.text, position, end)
        after = None if fair is None else _fair_event(text, fair, end, found)
        separator = None if after is None else _SEPARATOR.match(text.text, after, end)
        if separator is None or not separator[1]:
            text.problem("this is no assumption of fairness", position, end, _FAIRNESS_HELP)
            return tuple(found), end
        position = separator.end()
        if separator[1] == ":":
            return tuple(found), position


def _fair_event(text: Text, fair: re.Match[str], end: int, found: list[Fairness]) -> int | None:
    """The position behind `fair(…)`, whose event is added to what was found."""
    start = fair.end()
    strong = bool(fair[1]) and fair[1].startswith("strong")
    event = event_at(text, start, end)
    if event is None:
        return None
    pattern, after = event
    found.append(Fairness(pattern, strong, text.span(start, after)))
    closed = _CLOSE.match(text.text, after, end)
    return None if closed is None else closed.end()

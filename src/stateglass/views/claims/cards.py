"""What is shown of a claim: what was asked, the answer, the model it rests on, and what has to be done again for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, final

from stateglass.evidence import Answer, Graph, Path, Reason, Verdict, spine
from stateglass.formats.valuations import changing
from stateglass.logic.claims import BuiltIn
from stateglass.model import STABLE, Model
from stateglass.source import as_sentence, counted
from stateglass.views.claims.sequence import Sequence as Diagram
from stateglass.views.claims.sequence import sequence

_REASONS: Final = {
    Reason.BOUND: "a bound was reached",
    Reason.TIMEOUT: "there was not enough time",
    Reason.UNSUPPORTED: "code that is not supported is in the way",
    Reason.PARTIAL: "the model is partial",
    Reason.ABSTRACTION: "the model is an abstraction, which can do more than the code",
    Reason.SOLVER: "the solver gave no answer",
}
assert set(_REASONS) == set(Reason)
MOST_MEANING: Final = 1000
_PLAIN: Final = frozenset(claim.value for claim in BuiltIn)
_CONFIRMED: Final = {
    "model": "checked step by step against the model",
    "reference": "executed again step by step by the reference semantics",
    "replay": "run on the compiled code",
    "solver": "checked again by a solver of its own",
}
_BITS: Final = "numbers are as wide as their types"
_INTEGERS: Final = "numbers are mathematical integers: what wraps around or overflows is not looked at"


Lines = Sequence[Sequence[tuple[str, int]]]


@final
@dataclass(frozen=True, slots=True)
class Card:
    """One claim with its answer. `subject` is what a replay needs: files, flags and what else was said of the code."""

    title: str
    text: str
    meaning: str  # the claim in an English sentence
    answer: Answer
    model: Model  # of which the evidence is a run
    origin: Model  # the model that was asked for
    subject: Mapping[str, object] = field(default_factory=dict)
    diagram: Diagram | None = None  # of the run, if others take part in it than callers and code
    lines_run: Callable[[], Lines] = tuple  # the files and lines that each step of the run executes, if that is known
    remark: str = ""  # what stands behind the verdict, for people

    @property
    def path(self) -> Path | None:
        """The run to be shown, of a graph the one along its first steps."""
        match self.answer.evidence:
            case Path() as path:
                return path
            case Graph() as graph:
                return spine(graph)
            case _:
                return None

    def first_values(self, path: Path) -> list[tuple[str, str]]:
        """The values at first that change somewhere, or of a run that does nothing all that there are."""
        values = [pair for pair in self.model.valuation(path.start).items() if pair[0] != STABLE]
        if not path.steps:
            return values
        decided = self.answer.decided
        moving = {*(p.name for p in changing(self.model)), *(() if decided is None else decided.begins_with)}
        return [(name, value) for name, value in values if name in moving]

    def drawn(self, path: Path) -> Diagram:
        """The run as messages between lanes."""
        return sequence(path, self.origin.origin.subject) if self.diagram is None else self.diagram

    @property
    def is_finding(self) -> bool:
        return self.answer.verdict in (Verdict.VIOLATED, Verdict.VACUOUS)


def shown_first(cards: Sequence[Card]) -> Card | None:
    """The card whose run is shown where only one can be: the first that has one, of those that are violated first."""
    having = [card for card in cards if card.path is not None]
    return next((card for card in having if card.is_finding), having[0] if having else None)


def says(card: Card) -> str:
    """`It says: …`, for people; of what nobody would read to its end, the beginning and how long it is."""
    return "" if not card.meaning or card.text in _PLAIN else f"It says: {shortened(card.meaning)}"


def shortened(text: str) -> str:
    """Of what nobody would read to its end, the beginning and how long it is."""
    if len(text) <= MOST_MEANING:
        return text
    return f"{text[:MOST_MEANING]}… ({len(text):,} characters; --format json has all of them)"


def verdict_words(answer: Answer) -> str:
    """`violated`, `inconclusive: partial`."""
    return answer.verdict.value + (f": {answer.reason.value}" if answer.reason is not None else "")


def why(answer: Answer) -> str:
    """What there is to say about a verdict, in a sentence."""
    return answer.explanation or ("" if answer.reason is None else _REASONS[answer.reason])


def confirmation(answer: Answer) -> str:
    """How evidence was followed again, in a sentence; empty if it was not, or there is none."""
    done = " and ".join(_CONFIRMED[by] for by in answer.confirmed_by if by in _CONFIRMED)
    without = f"; not confirmed on the compiled code: {answer.not_replayed}" if answer.not_replayed else ""
    return as_sentence(done + without)


def decided_by(answer: Answer) -> str:
    """Who decided without looking at every state, in a sentence; empty if all states were looked at."""
    found = answer.decided
    if found is None:
        return ""
    parts = [f"By {found.engine}"] if found.engine else []
    if found.rounds:
        parts.append(f"in {counted(found.rounds, 'round')}")
    if found.predicates:
        parts.append(f"with {counted(found.predicates, 'predicate')}")
    if found.depth is not None:
        at = "at" if answer.verdict is Verdict.VIOLATED else "up to"
        parts.append(f"{at} depth {found.depth:,}")
    return as_sentence("; ".join(filter(None, (", ".join(parts), _INTEGERS if found.integers else _BITS))))


def invariant_lines(answer: Answer) -> list[str]:
    """What holds at which place, or what an abstraction asks there, a line each."""
    if answer.decided is None:
        return []
    asked = [f"{place}, asks: {text}" for place, text in answer.decided.told_apart]
    given = [f"{place}, asks as given: {t}" if place else f"asked nowhere: {t}" for place, t in answer.decided.given]
    return [*(f"{place}: {text}" for place, text in answer.decided.invariant), *asked, *given]


def ending(path: Path) -> str:
    """What comes after the last step that is shown; empty if that does not matter."""
    if path.loop_start is not None:
        count = len(path.steps) - path.loop_start
        steps = f"step {path.loop_start + 1}" if count == 1 else f"steps {path.loop_start + 1} to {len(path.steps)}"
        return f"{steps} can be repeated for ever"
    return "nothing can follow" if path.ends else ""

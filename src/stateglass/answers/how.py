"""Who decides claims on code, and which of them can be decided without looking at every state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, final

from stateglass.answers.confirming import Checked
from stateglass.explore import Manner
from stateglass.logic import temporal
from stateglass.logic.claims import BuiltIn, Claim, Language
from stateglass.source import Code, Diagnostic, InputError, Span, input_error
from stateglass.unbounded.engines import Engine

# Imported for its name alone: solvers take long to load.
if TYPE_CHECKING:
    from stateglass.unbounded.given import Given

ANOTHER: Final = "another run (--next)"
_WITHOUT: Final = "no-error and linear claims do not"
_WITHOUT_MERGING: Final = "with `--steps all`, no-error alone does not"


@final
@dataclass(frozen=True, slots=True)
class How:
    """Who decides claims."""

    engine: Engine = Engine.AUTO
    given: tuple[Given, ...] = ()  # predicates of the user


@final
@dataclass(frozen=True, slots=True)
class Predicates:
    """Predicates of the user as they were written, and where those stand that are in a file."""

    texts: Sequence[str] = ()
    places: Mapping[str, Span] = field(default_factory=dict)


def is_decidable(claim: Claim, manner: Manner, engine: Engine) -> bool:
    """Whether a claim can be decided without looking at every state: it speaks of all runs, each by itself."""
    if claim.content is BuiltIn.NO_ERROR:
        return True
    is_linear = claim.language in (Language.LTL, Language.ENGLISH) and isinstance(claim.content, temporal.Formula)
    can_be = is_linear and not claim.fairness and not manner.every_step
    return can_be and engine in (Engine.AUTO, Engine.PREDICATE)


def refuse_undecidable(
    claims: Sequence[Claim], manner: Manner, how: How, later: int, missing: InputError | None
) -> None:
    """Refuses claims for which every state must be looked at where that is not possible; all at once."""
    others = [claim for claim in claims if not is_decidable(claim, manner, how.engine)]
    # Who lacks bounds for claims that another engine decides without any lacks the other engine.
    unbounded = [claim for claim in others if missing is None or is_decidable(claim, manner, Engine.AUTO)]
    diagnostics: list[Diagnostic] = []
    if missing is not None and (later or len(unbounded) < len(others)):
        first, *rest = missing.diagnostics
        without = _WITHOUT_MERGING if manner.every_step else _WITHOUT
        why = f"{_named([c for c in others if c not in unbounded])} needs bounds of all inputs; {without}"
        diagnostics += [replace(first, help=f"{first.help}\n{why}"), *rest]
    if unbounded or (later and missing is None):
        message = f"{_named(unbounded)} is not decided with --engine {how.engine.value}"
        help = "leave the engine out; any engine decides no-error, and predicate linear claims"
        diagnostics.append(Diagnostic(Code.USAGE, message, help=help))
    if diagnostics:
        raise InputError(diagnostics)


def _named(claims: Sequence[Claim]) -> str:
    return ", ".join(f"`{claim.title}`" for claim in claims) or ANOTHER


def refuse_predicates(engine: Engine) -> None:
    """Predicates of the user are for who abstracts."""
    if engine not in (Engine.AUTO, Engine.PREDICATE):
        message = f"--engine {engine.value} does not ask predicates"
        raise input_error(Code.USAGE, message, help="leave out the engine, or the predicates")


def refuse_another() -> None:
    """Refuses to look for another run where the first one was found without looking at every state."""
    message = f"{ANOTHER} is looked for among all states, and what is handed in may hold any value"
    help = "give it bounds, or say --engine explicit: then it starts at zero where there are none"
    raise input_error(Code.USAGE, message, help=help)


def refuse_other_numbers(claims: Sequence[Claim], engine: Engine) -> None:
    """Refuses what is not known of mathematical integers: claims other than no-error, and looking at every state."""
    if engine is Engine.EXPLICIT:
        message = "--numbers integers is not for --engine explicit, which looks at states as they are in the machine"
        raise input_error(Code.USAGE, message, help="leave one of them out")
    others = ", ".join(f"`{claim.title}`" for claim in claims if claim.content is not BuiltIn.NO_ERROR)
    if others:
        message = f"{others} is not decided with --numbers integers"
        raise input_error(Code.USAGE, message, help="leave --numbers out; with it no-error alone is decided")


def less_to_look_at(checked: Sequence[Checked]) -> tuple[str, ...]:
    """What may be tried where claims are not decided for all that could be handed in or written."""
    if all(one.answer.reason is None for one in checked):
        return ()
    what = "what is handed in starts at zero, and what is written without a bound is taken to stay"
    return (f"all inputs that need bounds have them: --engine explicit looks at each state; with it, {what}",)


@final
class Stopped(Exception):
    """Somebody did not want to wait for an answer: how far it came."""

    def __init__(self, checked: Checked) -> None:
        super().__init__()
        self.checked = checked

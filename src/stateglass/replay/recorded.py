"""Evidence as `check` writes it, read back: the run, and what was said about the code."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, final

from stateglass.logic.claims import Claim
from stateglass.logic.reading import read_claim
from stateglass.model import STABLE
from stateglass.source import Code, InputError, Span, input_error


@final
@dataclass(frozen=True, slots=True)
class Evidence:
    """A run that was shown for a claim; `subject` has the settings of the extraction, unchecked."""

    claim: str
    text: str  # what the claim says, which its name need not tell
    verdict: str
    initial: Mapping[str, str]
    steps: tuple[tuple[str, Mapping[str, str]], ...]  # actions, and all values after each
    loop_start: int | None
    ends: bool
    subject: Mapping[str, Any]
    others: tuple[str, ...] = ()  # claims that it could have been as well, when none was named


def read_evidence(text: str, file: str, claim: str | None = None) -> Evidence:
    """The run of a claim; without a name the first that is violated, or else the first there is."""
    found = [e for e in _verdicts(_json(text, file), file) if claim is None or e.claim == claim]
    if not found:
        which = "no verdict" if claim is None else f"no verdict of `{claim}`"
        message = f"there is nothing to replay: {which} has a run"
        raise input_error(Code.SYNTAX, message, Span.at(file), "what is violated has one; what holds need not")
    taken, *rest = [e for e in found if e.verdict == "violated"] or found
    return replace(taken, others=tuple(dict.fromkeys(e.claim for e in rest if e.claim != taken.claim)))


def claim_of(evidence: Evidence, file: str) -> Claim:
    """What the run was shown for."""
    try:
        return read_claim(evidence.text)
    except InputError:
        raise _wrong(file, f"the `text` of `{evidence.claim}` is no claim") from None


def _verdicts(content: Any, file: str) -> Iterator[Evidence]:
    verdicts = content.get("verdicts") if isinstance(content, dict) else None
    if not isinstance(verdicts, list):
        raise _wrong(file, "it has no list `verdicts`")
    for verdict in verdicts:
        if not isinstance(verdict, dict):
            raise _wrong(file, "a verdict is no object")
        evidence = verdict.get("evidence")
        # A run without steps shows what the first state violates; what something holding rests on has none, either.
        if isinstance(evidence, dict) and (evidence.get("steps") or "initial" in evidence):
            yield _evidence(verdict, evidence, file)


def _evidence(verdict: dict[str, Any], evidence: dict[str, Any], file: str) -> Evidence:
    # Whether a state is stable is seen by what can happen in it.
    values = {n: v for n, v in _texts(evidence.get("initial", {}), "initial", file).items() if n != STABLE}
    subject = evidence.get("subject", {})
    loop_start, steps = evidence.get("loop_start"), evidence.get("steps", [])
    if not isinstance(steps, list) or not isinstance(subject, dict):
        raise _wrong(file, "`steps` is no list, or `subject` no object")
    if loop_start is not None and (type(loop_start) is not int or not 0 <= loop_start < len(steps)):
        raise _wrong(file, "`loop_start` is not the number of a step")
    initial, taken = dict(values), []
    for step in steps:
        action = step.get("action") if isinstance(step, dict) else None
        if not isinstance(action, str):
            raise _wrong(file, "a step has no action")
        values = {**values, **_texts(step.get("changes", {}), "changes", file)}
        taken.append((action, values))
    claim, text, said = verdict.get("claim"), verdict.get("text"), verdict.get("verdict")
    if not isinstance(claim, str) or not isinstance(text, str) or not isinstance(said, str):
        raise _wrong(file, "a verdict lacks `claim`, `text` or `verdict`")
    return Evidence(claim, text, said, initial, tuple(taken), loop_start, evidence.get("ends") is True, subject)


def _texts(content: Any, name: str, file: str) -> dict[str, str]:
    if not isinstance(content, dict) or not all(isinstance(value, str) for value in content.values()):
        raise _wrong(file, f"`{name}` does not give names and texts")
    return content


def _json(text: str, file: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", 0)
        raise input_error(Code.SYNTAX, f"this is not JSON: {error}", Span.at(file, line)) from None


def _wrong(file: str, what: str) -> InputError:
    help = "`stateglass check … -o evidence.json` writes it"
    return input_error(Code.SYNTAX, f"this is no evidence: {what}", Span.at(file), help)

"""Linear claims on random reactive programs: abstractions that refine themselves against exploring all states.

`python -m tests.fuzz.temporal_agreement --help` explains the options. The exit status is 1 if verdicts differ.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Final

from stateglass.answers.answering import answer_claims
from stateglass.evidence import Verdict
from stateglass.explore import Manner
from stateglass.logic.claims import Claim
from stateglass.source import InputError
from stateglass.system import System, build_system
from stateglass.unbounded.results import GivenUp
from stateglass.unbounded.temporal.deciding import decide
from stateglass.unbounded.time import Deadline
from stateglass.work import silent
from tests.fuzz.agreement import read
from tests.fuzz.seeds import parser_of, run
from tests.fuzz.temporal_programs import Reactive, claims_about, reactive

CLAIMS: Final = 6
SECONDS: Final = 10.0
MOST_STATES: Final = 20_000


def compare_seed(
    seed: int, folder: Path, claims: int = CLAIMS, *, is_open: bool = False
) -> tuple[Counter[str], list[str]]:
    """What was decided of the claims on one program, and what was decided wrongly.

    If it `is_open`, it is decided for all inputs: what some of them violate must not hold then.
    """
    made = reactive(seed)
    return compare(made, claims_about(made, seed, claims), folder, is_open=is_open)


def compare(made: Reactive, claims: list[Claim], folder: Path, *, is_open: bool) -> tuple[Counter[str], list[str]]:
    program = read({"code.c": made.code}, folder)
    system = build_system(program, made.functions, init=made.init, bounds=made.bounds)
    asked = build_system(program, made.functions, init=made.init, open=True) if is_open else system
    seen: Counter[str] = Counter()
    wrong: list[str] = []
    for claim in claims:
        what, problem = _compared(system, asked, claim)
        seen[what] += 1
        if problem:
            wrong.append(f"{claim.text}: {problem}")
    return seen, wrong


def _compared(system: System, asked: System, claim: Claim) -> tuple[str, str]:
    manner = Manner(max_states=MOST_STATES, timeout=20)
    try:
        checking, _ = answer_claims(system, manner, [claim], 0, silent)
    except InputError:
        return "refused", ""
    exact = checking.checked[0].answer.verdict
    if exact is Verdict.INCONCLUSIVE:
        return "not explored", ""
    found = decide(asked, claim, Deadline(SECONDS), manner, silent)
    if isinstance(found, GivenUp):
        return f"{exact.value}: {found.reason.value}", ""
    verdict = found.answer.verdict
    # What holds because its condition never comes true may do so for a reason that an abstraction does not see.
    both_hold = {exact, verdict} <= {Verdict.HOLDS, Verdict.VACUOUS}
    only_with_others = asked is not system and verdict is Verdict.VIOLATED
    if exact is verdict or both_hold or only_with_others:
        return verdict.value, ""
    return "wrong", f"{verdict.value}, but {exact.value} by exploration"


def main() -> int:
    parser = parser_of(__doc__, 200)
    parser.add_argument("--claims", type=int, default=CLAIMS, help="for each program")
    parser.add_argument("--open", action="store_true", help="decide for all inputs")
    options = parser.parse_args()
    return run(options, lambda seed, folder: compare_seed(seed, folder, options.claims, is_open=options.open))


if __name__ == "__main__":
    sys.exit(main())

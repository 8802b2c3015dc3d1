"""Claims on random reactive programs: what violates them is done by the compiled code, or it is told why not.

`python -m tests.fuzz.compiled_agreement --help` explains the options. The exit status is 1 if compiled code does
something else than a run says.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Final

from stateglass.evidence import Verdict
from stateglass.logic.claims import Claim
from stateglass.logic.reading import read_claim
from stateglass.options import ExtractOptions
from stateglass.pipeline import check_program
from stateglass.source import InputError
from tests.fuzz import reactive
from tests.fuzz import temporal_programs as temporal
from tests.fuzz.handed_programs import handed
from tests.fuzz.risky import risky
from tests.fuzz.seeds import parser_of, run

CLAIMS: Final = 6
KINDS: Final = ("temporal", "reactive", "risky", "handed")
MOST_STATES: Final = 20_000
_DIFFERS: Final = "The compiled code does something else"


def compare_seed(seed: int, folder: Path, kind: str = "temporal") -> tuple[Counter[str], list[str]]:
    """What the compiled code says to the violations of one program, and what is wrong about it."""
    file = folder / "code.c"
    asked = ExtractOptions((str(file),), max_states=MOST_STATES, timeout=20)
    claims = [read_claim("no-error")]
    if kind == "risky":
        file.write_text(risky(seed), encoding="utf-8")
        return compare(asked, claims)
    if kind == "handed":
        given = handed(seed)
        file.write_text(given.text, encoding="utf-8")
        return compare(replace(asked, functions=(given.function,)), claims)
    made = temporal.reactive(seed) if kind == "temporal" else reactive.reactive(seed)
    if isinstance(made, temporal.Reactive):
        claims += temporal.claims_about(made, seed, CLAIMS)
    file.write_text(made.code if isinstance(made, temporal.Reactive) else made.text, encoding="utf-8")
    return compare(replace(asked, functions=made.functions, init=made.init, bounds=made.bounds), claims)


def compare(asked: ExtractOptions, claims: list[Claim]) -> tuple[Counter[str], list[str]]:
    seen: Counter[str] = Counter()
    wrong: list[str] = []
    try:
        found = check_program(asked, claims).checking
    except InputError as error:
        return Counter([f"refused: {error.diagnostics[0].message}"]), []
    for one in found.checked:
        answer = one.answer
        if answer.verdict is not Verdict.VIOLATED:
            seen[answer.verdict.value] += 1
        elif _DIFFERS in answer.explanation:
            wrong.append(f"{one.claim.text}: {answer.explanation}")
        else:
            seen["done by the compiled code" if "replay" in answer.confirmed_by else answer.not_replayed] += 1
    return seen, wrong


def main() -> int:
    parser = parser_of(__doc__, 100)
    parser.add_argument("--kind", choices=KINDS, default=KINDS[0], help="of programs")
    options = parser.parse_args()
    return run(options, lambda seed, folder: compare_seed(seed, folder, options.kind))


if __name__ == "__main__":
    sys.exit(main())

"""Random threads: what abstraction says of them has to be what models of all that they can do say.

`python -m tests.fuzz.threads_agreement --help` explains the options. The exit status is 1 if verdicts differ.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, final

from stateglass.answers.threads import answer_threads
from stateglass.evidence import Answer, Verdict
from stateglass.explore import Manner
from stateglass.formats import read_model
from stateglass.logic.claims import Claim, Conforms
from stateglass.logic.reading import read_claim
from stateglass.operations.assembling import read
from stateglass.options import ExtractOptions
from stateglass.source import InputError
from stateglass.system.threads import AskedThreads, read_threads
from stateglass.unbounded.engines import Engine
from stateglass.unbounded.threads.systems import Setting
from stateglass.work import silent
from tests.fuzz.seeds import parser_of, run

CLAIMS: Final = ("no-error", "no-deadlock")
CLAIMS_MADE: Final = 2
"""So many claims about events and values are made for each program."""
_HEAD: Final = """#include <assert.h>
extern int input(void);
extern int pick(void);
extern void a(void), b(void), c(int n);
int g;
static int v0, v1, v2;
"""
_PROCESSES: Final = {
    "PICK": "PICK = (a -> return {$0 == 0} -> STOP | d -> return {$0 == 1} -> STOP).",
    "TURNS": "TURNS = (a -> b -> TURNS).",
    "ONCE": "ONCE = (c(v:0..2) -> ONCE | b -> c(1) -> ONCE).",
}


_MEANT: Final = (
    "M = (a -> M | b -> M).",
    "M = (a -> b -> M).",
    "M = (c(0) -> M | c(1) -> N), N = (c(1) -> M | a -> M).",
    "M = (c(v:0..3) -> c(v) -> M).",
    "M = (a -> N | b -> M), N = (a -> N | c(v:0..1) -> M).",
    "M = (b -> STOP | d -> M).",
    'M = ("call(thread0.input)" -> a -> M | b -> M).',
    'M = ("return(thread0.input, 1)" -> M | c(1) -> M).',
)
"""What threads may be held against."""


@final
@dataclass(frozen=True)
class Threaded:
    """A program with threads, as one would write it."""

    code: str
    asked: AskedThreads
    bounds: tuple[tuple[str, str], ...]


def random_threads(seed: int) -> Threaded:
    chance = random.Random(seed)
    count = chance.choice((1, 2, 2, 3))
    bodies = [_Body(chance).function(f"thread{number}") for number in range(count)]
    threads = [f"thread{number}({chance.randrange(3)})" for number in range(count)]
    threads += [f"process {name}" for name in ("TURNS", "ONCE") if chance.random() < 0.3]
    code = _HEAD + "".join(bodies)
    is_shared = sum("g" in body.split("(", 1)[1] and " g " in body for body in bodies) > 1
    whole = "".join(bodies)
    events = tuple(name for name in "abc" if f"{name}(" in whole.replace("input(", ""))
    answered = ("pick=process PICK",) if "pick(" in whole else ()
    asked = AskedThreads(tuple(threads), events, answered, ("g=process",) if is_shared else (), _PROCESSES)
    bounds = [(name, spec) for name, spec in (("input()", "0..2"), ("g", "0..3")) if name.rstrip("()") in code]
    bounds = [(name, spec) for name, spec in bounds if name != "g" or is_shared]
    if not any("input()" in body for body in bodies):
        bounds = [bound for bound in bounds if bound[0] != "input()"]
    return Threaded(code, asked, tuple(bounds))


@final
class _Body:
    """Writes the body of a thread."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._own = ""

    def function(self, name: str) -> str:
        self._own = "v" + name[-1]
        inner = self._block(2, 4)
        if self._chance.random() < 0.6:
            inner = f"for (;;) {{\n{inner}}}\n"
        return f"void {name}(int n)\n{{\nint x = {self._chance.randrange(3)}, y = 0;\n{inner}(void)y;\n}}\n"

    def _block(self, depth: int, most: int) -> str:
        return "".join(self._statement(depth) for _ in range(self._chance.randint(1, most)))

    def _statement(self, depth: int) -> str:
        chance = self._chance
        kind = chance.randrange(14 if depth else 9)
        match kind:
            case 0 | 1:
                return chance.choice(("a();\n", "b();\n"))
            case 2 | 3:
                return f"c({chance.choice(('0', '1', 'x % 3', 'n', 'y'))});\n"
            case 4:
                return f"x = {chance.choice(('input()', '(x + 1) % 4', 'n', 'pick()'))};\n"
            case 5 if chance.random() < 0.6:
                return f"{self._own} = {chance.choice(('0', '1', '2', 'x % 3', 'y'))};\n"
            case 5:
                return f"y = {chance.choice(('x', '(y + 1) % 3', '!y'))};\n"
            case 6:
                return chance.choice(("y = pick();\n", " g = ( g + 1) % 4;\n", "y = g % 2;\n", "x = g % 4;\n"))
            case 7 if chance.random() < 0.3:
                return f"assert({self._condition()});\n"
            case 7 | 8:
                return f"if ({self._condition()}) a();\n"
            case 9 | 10 | 11:
                other = f" else {{\n{self._block(depth - 1, 2)}}}" if chance.random() < 0.5 else ""
                return f"if ({self._condition()}) {{\n{self._block(depth - 1, 2)}}}{other}\n"
            case _:
                return f"while (x < {chance.randrange(1, 4)}) {{\n{self._block(depth - 1, 2)}x++;\n}}\n"

    def _condition(self) -> str:
        left = self._chance.choice(("x", "y", "n", "x + y"))
        return f"{left} {self._chance.choice(('==', '<', '>', '!='))} {self._chance.randrange(4)}"


def random_claims(seed: int, code: str, number: int) -> tuple[str, ...]:
    """Claims about events and values that occur in a program."""
    chance = random.Random(seed)
    body = code[len(_HEAD) :]
    texts = {"a": "a()", "b": "b()", "c(1)": "c(1)", "d": "pick()"}
    events = [event for event, text in texts.items() if text in body] or ["error"]
    own = [v for v in ("v0", "v1", "v2") if v in body]
    values = [f"[{v} {chance.choice(('==', '!=', '<='))} {chance.randrange(3)}]" for v in own] or ["[true]"]
    shapes = ("G({e} => {p})", "G {p}", "G({e} => F {f})", "F {e}", "{p} W ({p} & {e})", "G({p} => {q})", "G F {e}")
    return tuple(
        chance.choice(shapes).format(
            e=chance.choice(events), f=chance.choice(events), p=chance.choice(values), q=chance.choice(values)
        )
        for _ in range(number)
    )


def _conforming(seed: int, folder: Path) -> str:
    """A claim that threads do what some process can do."""
    file = folder / "meant.fsp"
    file.write_text(random.Random(seed).choice(_MEANT), encoding="utf-8")
    return f"conforms to {file}"


def answers(threaded: Threaded, engine: Engine, folder: Path, claims: tuple[str, ...] = CLAIMS) -> list[Answer]:
    """What an engine says."""
    file = folder / "threads.c"
    file.write_text(threaded.code, encoding="utf-8")
    program = read(ExtractOptions(files=(str(file),))).program
    setting = Setting.of(program, read_threads(program, threaded.asked), threaded.bounds)
    asked: list[Claim] = [read_claim(text) for text in claims]
    files = [claim.content.file for claim in asked if isinstance(claim.content, Conforms)]
    setting = replace(setting, meant={name: read_model(name) for name in files})
    checking, _ = answer_threads(setting, Manner(max_states=20_000, timeout=20), asked, engine, silent)
    return [checked.answer for checked in checking.checked]


def disagreements(seed: int, folder: Path, counts: Counter[str], more: int = CLAIMS_MADE) -> list[str]:
    """What the two engines say differently of a program and some claims about it, with the verdicts counted."""
    threaded = random_threads(seed)
    claims = (*CLAIMS, *random_claims(seed, threaded.code, more), _conforming(seed, folder))
    by_engine: dict[Engine, list[Answer] | str] = {}
    for engine in (Engine.EXPLICIT, Engine.PREDICATE):
        try:
            by_engine[engine] = answers(threaded, engine, folder, claims)
        except InputError as error:
            by_engine[engine] = error.diagnostics[0].message
    known, found = by_engine.values()
    if isinstance(known, str) or isinstance(found, str):
        told = [text if isinstance(text, str) else "answered" for text in (known, found)]
        counts[f"refused: {told[0]}"] += 1
        return [] if told[0] == told[1] else [f"{told[0]} by models, {told[1]} by abstraction"]
    wrong = []
    for claim, one, other in zip(claims, known, found, strict=True):
        kind = claim if claim in CLAIMS else "conforms" if claim.startswith("conforms") else "linear"
        counts[f"{kind}: {one.verdict.value} / {other.verdict.value}"] += 1
        if Verdict.INCONCLUSIVE in (one.verdict, other.verdict):
            counts[f"why: {(other.explanation or one.explanation)[:60]}"] += 1
        elif (one.verdict is Verdict.VIOLATED) != (other.verdict is Verdict.VIOLATED):
            wrong.append(f"{claim}: {one.verdict.value} by models, {other.verdict.value} by abstraction")
    return wrong


def main() -> int:
    parser = parser_of(__doc__, 1_000)
    parser.add_argument("--claims", type=int, default=CLAIMS_MADE, help="for each program, beside errors and deadlock")
    options = parser.parse_args()

    def compare(seed: int, folder: Path) -> tuple[Counter[str], list[str]]:
        counts: Counter[str] = Counter()
        wrong = disagreements(seed, folder, counts, options.claims)
        return counts, wrong

    return run(options, compare)


if __name__ == "__main__":
    sys.exit(main())

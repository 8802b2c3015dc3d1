"""Random threads that share variables: held by processes or directly, by whatever engine, the answers have to agree.

So they have to where the variables are parts of a struct that is shared, and code comes to them by subscripts.

`python -m tests.fuzz.sharing_agreement --help` explains the options. The exit status is 1 if answers differ.
"""

from __future__ import annotations

import random
import re
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, final

from stateglass.evidence import Answer, Verdict
from stateglass.source import InputError
from stateglass.system.threads import AskedThreads
from stateglass.unbounded.engines import Engine
from tests.fuzz.seeds import parser_of, run
from tests.fuzz.threads_agreement import CLAIMS, Threaded, answers

ENGINES: Final = (Engine.EXPLICIT, Engine.AUTO, Engine.PREDICATE, Engine.BMC)
_HEAD: Final = """#include <assert.h>
extern int input(void);
extern void a(void), b(void), c(int n);
int g, h = 1;
static int v0, v1, v2;
static int swap(int n) { int old = g; if (n > old) h = old; g = n % 3; return old; }
static int sum(int n) { return (g + h + n) % 3; }
static void wait_for(int n) { while (g < n) { if (h > 1) return; } }
static int plain(int n) { int i, s = 0; for (i = 0; i < n; i++) s += i; return s % 3; }
"""
_PROCESSES: Final = {
    "TURNS": "TURNS = (a -> b -> TURNS).",
    "ONCE": "ONCE = (c(v:0..2) -> ONCE | b -> d -> c(1) -> ONCE).",
}
BOUNDS: Final = (("g", "0..3"), ("h", "0..3"))


def random_sharing(seed: int) -> Threaded:
    """A program in which threads share `g` and `h`, directly."""
    chance = random.Random(seed)
    count = chance.choice((2, 2, 2, 3))
    bodies = [_Body(chance, number).function() for number in range(count)]
    threads = [f"thread{number}({chance.randrange(3)})" for number in range(count)]
    if chance.random() < 0.2:
        threads.append("again = thread0(1)")
        bodies[0] = bodies[0].replace("v0", "x")
    threads += [f"process {name}" for name in _PROCESSES if chance.random() < 0.15]
    whole = "".join(bodies)
    events = tuple(name for name in "abc" if f"{name}(" in whole.replace("input(", ""))
    asked = AskedThreads(tuple(threads), events, (), ("g=direct", "h=direct"), _PROCESSES)
    bounds = (("input()", "0..2"),) if "input()" in whole else ()
    return Threaded(_HEAD + whole, asked, bounds)


@final
class _Body:
    """Writes the body of a thread."""

    def __init__(self, chance: random.Random, number: int) -> None:
        self._chance = chance
        self._number = number

    def function(self) -> str:
        chance = self._chance
        inner = self._block(2, 4)
        if chance.random() < 0.5:
            inner = f"for (;;) {{\n{inner}}}\n"
        first = f"int x = {chance.randrange(3)}, y = {'0' if self._number else 'g + h'};"
        return f"void thread{self._number}(int n)\n{{\n{first}\n{inner}(void)y;\n}}\n"

    def _block(self, depth: int, most: int) -> str:
        return "".join(self._statement(depth) for _ in range(self._chance.randint(1, most)))

    def _statement(self, depth: int) -> str:
        chance = self._chance
        match chance.randrange(16 if depth else 10):
            case 0:
                return chance.choice(("a();\n", "b();\n", f"c({chance.choice(('0', '1', 'x % 3', 'n', 'g'))});\n"))
            case 1 | 2:
                return f"{chance.choice('gh')} = {chance.choice(('0', '1', 'x % 3', '(g + 1) % 4', '(h + n) % 3'))};\n"
            case 3 | 4:
                return f"{chance.choice('xy')} = {chance.choice(('g', 'h', '(g + h) % 3', '(x + 1) % 4', 'n'))};\n"
            case 5:
                return chance.choice(("y = swap(x);\n", "x = sum(y);\n", "(void)swap(n);\n", "x = plain(x);\n"))
            case 6:
                return f"v{self._number} = {chance.choice(('0', '1', 'x % 3', 'g', 'sum(1)'))};\n"
            case 7 if chance.random() < 0.4:
                return f"assert({self._condition()});\n"
            case 8 if chance.random() < 0.4:
                return "x = input();\n"
            case 9 if chance.random() < 0.3:
                return "wait_for(1);\n"
            case 10 | 11 | 12 | 13:
                other = f" else {{\n{self._block(depth - 1, 2)}}}" if chance.random() < 0.5 else ""
                return f"if ({self._condition()}) {{\n{self._block(depth - 1, 2)}}}{other}\n"
            case 14:
                return f"while ({chance.choice(('g', 'h'))} {chance.choice(('==', '<'))} {chance.randrange(3)}) ;\n"
            case 15:
                return f"while (x < {chance.randrange(1, 3)}) {{\n{self._block(depth - 1, 2)}x++;\n}}\n"
            case _:
                return "h = g;\n"

    def _condition(self) -> str:
        left = self._chance.choice(("x", "y", "g", "h", "g + x", "n"))
        return f"{left} {self._chance.choice(('==', '<', '>', '!='))} {self._chance.randrange(3)}"


def random_claims(seed: int, code: str) -> tuple[str, ...]:
    """Claims about events and values that occur in a program."""
    chance = random.Random(seed)
    body = code[len(_HEAD) :]
    events = [e for e in ("a", "b", "c(1)", "c") if f"{e[0]}(" in body.replace("input(", "")] or ["error"]
    who = [name for name in ("thread0", "thread1", "thread2") if f"{name}(" in body]
    events += [f"{verb}({chance.choice(who)}.{v}, {chance.randrange(3)})" for verb in ("load", "store") for v in "gh"]
    own = ["g", "h", *(v for v in ("v0", "v1", "v2") if v in body)]
    values = [f"[{v} {chance.choice(('==', '!=', '<='))} {chance.randrange(3)}]" for v in own]
    values.append(f"[{chance.choice(own)} <= {chance.choice(own)}]")
    shapes = ["G({e} => {p})", "G({e} => {p})", "G {p}", "G({e} => F {f})", "F {e}", "{p} W ({p} & {e})"]
    shapes += ["G({p} => {q})", "G F {p}"]
    return tuple(
        chance.choice(shapes).format(
            e=chance.choice(events), f=chance.choice(events), p=chance.choice(values), q=chance.choice(values)
        )
        for _ in range(2)
    )


def held(threaded: Threaded) -> Threaded:
    """The same where processes hold what is shared."""
    asked = replace(threaded.asked, shared=tuple(text.replace("direct", "process") for text in threaded.asked.shared))
    return replace(threaded, asked=asked, bounds=(*threaded.bounds, *BOUNDS))


def in_parts(threaded: Threaded) -> Threaded:
    """The same where what is shared are elements of an array in a struct."""
    names = {"g": "box.parts[n - n]", "h": "box.parts[1 + n - n]"}
    defined = "".join(f"#define {name} {place}\n" for name, place in names.items())
    box = f"struct {{ int more; int parts[2]; }} box = {{ 0, {{ 0, 1 }} }};\n{defined}"
    asked = replace(threaded.asked, shared=("box=direct",))
    return replace(threaded, code=threaded.code.replace("int g, h = 1;\n", box), asked=asked)


def of_parts(claim: str) -> str:
    """A claim about `g` and `h` as one about these elements."""
    return re.sub(r"\b([gh])\b", lambda found: f"box.parts[{'gh'.index(found[1])}]", claim)


def disagreements(
    seed: int, folder: Path, counts: Counter[str], engines: Sequence[Engine] = ENGINES, *, by_process: bool = True
) -> list[str]:
    """What is said differently of a program, with the verdicts counted."""
    threaded = random_sharing(seed)
    claims = (*CLAIMS, *random_claims(seed, threaded.code))
    wanted = [*([("process", held(threaded), Engine.EXPLICIT)] if by_process else [])]
    wanted += [(f"direct, {engine.value}", threaded, engine) for engine in engines]
    wanted += [("parts", in_parts(threaded), Engine.EXPLICIT)]
    found: dict[str, list[Answer]] = {}
    for name, program, engine in wanted:
        asked = claims if program.asked.shared[0].startswith("g=") else tuple(map(of_parts, claims))
        try:
            found[name] = answers(program, engine, folder, asked)
        except InputError as error:
            counts[f"{name} refused: {error.diagnostics[0].message[:60]}"] += 1
    wrong = []
    for number, claim in enumerate(claims):
        said = {name: one[number] for name, one in found.items()}
        kind = claim if claim in CLAIMS else "linear"
        for name, answer in said.items():
            counts[f"{kind}, {name}: {answer.verdict.value}"] += 1
            if answer.verdict is Verdict.INCONCLUSIVE:
                counts[f"why, {name}: {answer.explanation[:70]}"] += 1
        known = {
            name: a.verdict is Verdict.VIOLATED for name, a in said.items() if a.verdict is not Verdict.INCONCLUSIVE
        }
        if len(set(known.values())) > 1:
            wrong.append(f"{claim}: " + ", ".join(f"{n} {said[n].verdict.value}" for n in known))
    return wrong


def main() -> int:
    parser = parser_of(__doc__, 1_000)
    names = [engine.value for engine in ENGINES]
    parser.add_argument("--engine", choices=names, action="append", help="may be repeated (default: all)")
    options = parser.parse_args()
    engines = tuple(map(Engine, options.engine or names))

    def compare(seed: int, folder: Path) -> tuple[Counter[str], list[str]]:
        counts: Counter[str] = Counter()
        wrong = disagreements(seed, folder, counts, engines)
        return counts, wrong

    return run(options, compare)


if __name__ == "__main__":
    sys.exit(main())

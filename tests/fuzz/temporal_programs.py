"""Random reactive programs with few states, their bounds, and linear claims about them."""

from __future__ import annotations

import random
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, final

from stateglass.logic.claims import Claim
from stateglass.logic.reading import read_claim
from stateglass.source import InputError

_TYPES: Final = ("int", "unsigned char", "signed char", "unsigned", "short")
_LEAST, _MOST = -1, 3


@final
@dataclass(frozen=True, slots=True)
class Reactive:
    """A program, the functions that the environment calls, and bounds for all inputs."""

    code: str
    functions: tuple[str, ...]
    bounds: tuple[tuple[str, str], ...]
    events: tuple[str, ...]
    init: str | None


@final
class _Writer:
    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._names = ["a", "b"]
        self._locals: list[str] = []
        self._arguments: list[str] = []
        self._calls = True
        self._has_result = False
        self._depth = 0
        self._loops = 0

    def program(self) -> Reactive:
        pick = self._random
        types = [pick.choice(_TYPES) for _ in self._names]
        lines = [
            "int get(void);",
            "void put(int n);",
            "void __VERIFIER_assume(int);",
            "enum mode { IDLE, BUSY, DONE };",
            f"enum mode mode{pick.choice(('', ' = BUSY'))};",
            *(f"{t} {n} = {pick.choice((0, 0, 1, 2))};" for t, n in zip(types, self._names, strict=True)),
        ]
        if pick.random() < 0.3:
            lines.append("volatile unsigned char port;")
            self._locals.append("port")
        functions = ["step"]
        bounds = [("step.n", pick.choice(("0..2", "-1..1", "{0, 3}"))), ("get()", "-1..1"), ("port", "0..1")]
        lines += ["void step(int n)", "{", *self._body(["n"]), "}"]
        if pick.random() < 0.5:
            functions.append("tick")
            result = pick.random() < 0.5
            lines += [f"{'int' if result else 'void'} tick(void)", "{", *self._body([], has_result=result)]
            lines += ["    return a > 1;", "}"] if result else ["}"]
        init = None
        if pick.random() < 0.25:
            init = "start"
            lines += ["void start(void)", "{", *self._body([], calls=pick.random() < 0.3), "}"]
        code = "\n".join(lines) + "\n"
        events = ["call(step, *)", "call(step, 1)", "call(step, 0)", "return(step)", "call", "return"]
        if "put(" in code.split("put(int n);")[1]:
            events += ["call(put, *)", "call(put, 1)", "return(put)"]
        if "get()" in code:
            events += ["return(get, 0)", "return(get, 1)", "call(get)"]
        if "tick" in functions:
            events += ["call(tick)"]
        if "port" in self._locals and "port" in code.split("volatile unsigned char port;")[1]:
            events += ["load(::port, 1)"]
        events += ["error", "error(assertion)"]
        kept = [(name, text) for name, text in bounds if name.removesuffix("()").partition(".")[0] in code]
        kept = [(n, t) for n, t in kept if n != "get()" or "get()" in code]
        kept = [(n, t) for n, t in kept if n != "port" or "load(::port, 1)" in events]
        return Reactive(code, tuple(functions), tuple(kept), tuple(events), init)

    def _body(self, arguments: list[str], *, calls: bool = True, has_result: bool = False) -> list[str]:
        self._arguments, self._calls, self._has_result = arguments, calls, has_result
        return [line for _ in range(self._random.randint(1, 4)) for line in self._statement("    ")]

    def _statement(self, margin: str) -> list[str]:
        pick = self._random
        self._depth += 1
        try:
            kind = pick.random()
            if self._depth > 3 or kind < 0.45:
                return [f"{margin}{self._simple()}"]
            inner = [line for _ in range(pick.randint(1, 2)) for line in self._statement(margin + "    ")]
            if kind < 0.75:
                lines = [f"{margin}if ({self._condition()}) {{", *inner, f"{margin}}}"]
                if pick.random() < 0.4:
                    lines[-1] += " else {"
                    lines += [*self._statement(margin + "    "), f"{margin}}}"]
                return lines
            if kind < 0.9:
                self._loops += 1
                counter = f"i{self._loops}"
                limit = pick.choice(("2", "3", "a", "b", *self._arguments))
                head = f"{margin}for (int {counter} = 0; {counter} < {limit}; {counter}++) {{"
                return [head, *inner, f"{margin}}}"]
            if kind < 0.94:
                return [f"{margin}while ({self._condition()}) {{", *inner, f"{margin}}}"]
            return [
                f"{margin}switch (mode) {{",
                f"{margin}case IDLE:",
                *inner,
                f"{margin}    break;",
                f"{margin}default:",
                *self._statement(margin + "    "),
                f"{margin}}}",
            ]
        finally:
            self._depth -= 1

    def _simple(self) -> str:
        pick = self._random
        name = pick.choice(self._names)
        kind = pick.random()
        if kind < 0.35:
            return f"{name} = {self._value()};"
        if kind < 0.55:
            return f"if ({name} < {pick.randint(1, _MOST)}) {name}++;"
        if kind < 0.7:
            return f"mode = {pick.choice(('IDLE', 'BUSY', 'DONE'))};"
        if kind < 0.8 and self._calls:
            return f"put({self._value()});"
        if kind < 0.9 and self._calls:
            return f"{name} = get();"
        if kind < 0.92:
            return f"if (!({self._condition()})) __builtin_trap();"
        if kind < 0.97:
            return f"__VERIFIER_assume({self._condition()});"
        return f"if ({self._condition()}) return{' 0' if self._has_result else ''};"

    def _value(self) -> str:
        pick = self._random
        some = [*self._names, *self._arguments, *(["port"] if "port" in self._locals else [])]
        return pick.choice(
            (str(pick.randint(0, _MOST)), pick.choice(some), f"({pick.choice(some)} + 1) % 3", f"!{pick.choice(some)}")
        )

    def _condition(self) -> str:
        pick = self._random
        some = [*self._names, *self._arguments, *(["port"] if "port" in self._locals else [])]
        simple = (
            f"{pick.choice(some)} {pick.choice(('<', '==', '>', '!=', '<='))} {pick.randint(_LEAST, _MOST)}",
            f"{pick.choice(self._names)} {pick.choice(('<', '=='))} {pick.choice(some)}",
            f"mode == {pick.choice(('IDLE', 'BUSY', 'DONE'))}",
        )
        one = pick.choice(simple)
        return one if pick.random() < 0.7 else f"{one} {pick.choice(('&&', '||'))} {pick.choice(simple)}"


def reactive(seed: int) -> Reactive:
    return _Writer(seed).program()


def claims_about(program: Reactive, seed: int, count: int) -> list[Claim]:
    pick = random.Random(seed)

    def predicate() -> str:
        name, operator = pick.choice(("a", "b")), pick.choice(("==", "<", ">", "!=", "<=", ">="))
        options = (
            f"[{name} {operator} {pick.randint(_LEAST, _MOST)}]",
            f"[mode == {pick.choice(('IDLE', 'BUSY', 'DONE'))}]",
            f"[a {operator} b]",
            f"[a + b {operator} {pick.randint(0, 4)}]",
            f"[stable && {name} {operator} 1]",
            f"[a * 2 - b {operator} {pick.randint(-2, 4)}]",
            "[stable]",
            f"[mode != IDLE || {name} % 2 == 1]",
        )
        return pick.choice(options)

    def event() -> str:
        return pick.choice(program.events)

    def atom() -> str:
        return event() if pick.random() < 0.4 else predicate()

    shapes = (
        lambda: f"G {predicate()}",
        lambda: f"G !{event()}",
        lambda: f"G({event()} => {predicate()})",
        lambda: f"G({atom()} => F {atom()})",
        lambda: f"F {atom()}",
        lambda: f"G F {atom()}",
        lambda: f"F G {predicate()}",
        lambda: f"(!{event()}) W {event()}",
        lambda: f"G({event()} & {predicate()} => F {predicate()})",
        lambda: f"(G F {atom()}) => (G F {atom()})",
        lambda: f"G({predicate()} => G {predicate()})",
        lambda: f"({predicate()}) U ({predicate()})",
        lambda: f"G({event()} => ((!{event()}) U {event()}))",
        lambda: f"F {atom()} | G {predicate()}",
        lambda: f"`{event()}` precedes `{event()}`",
        lambda: f"`{event()}` follows `{event()}`",
        lambda: f"`{event()}` happens at most twice",
        lambda: f"{predicate()} always holds after `{event()}` until `return(step)`",
    )
    found: list[Claim] = []
    while len(found) < count:
        # Some say nothing, such as what is to happen in a scope that ends as it begins.
        with suppress(InputError):
            found.append(read_claim(pick.choice(shapes)()))
    return found

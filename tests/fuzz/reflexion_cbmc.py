"""What cbmc says of a generated function: where its calls lead from each state, and whether found conditions hold."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, final

from scripts import cbmc
from stateglass.evidence import Edge, ReflexionModel
from stateglass.reflexion.hypothesis import ERROR, OTHER, Hypothesis
from stateglass.reflexion.reflecting import Limits
from stateglass.values import FaultKind
from tests.fuzz.reflexion_cases import INPUTS, Case
from tests.fuzz.reflexion_definitions import meant
from tests.fuzz.reflexion_reference import EXIT, Call
from tests.fuzz.reflexion_scalars import Scalar

UNWIND: Final = "12"
_OUTSIDE: Final = """int nondet_int(void);
void touch(void) {}
void off(void) {}
#define assert(x) ((x) ? (void)0 : failed())
#define abort() failed()
#define exit(x) ended()
#define port0 ((_Bool)(nondet_int() != 0))
#define port1 ((_Bool)(nondet_int() != 0))
struct two { unsigned v : 2; };
static struct two any(void) { struct two found; return found; }
#define wide any()
_Bool get0(void) { return nondet_int() != 0; }
_Bool get1(void) { return nondet_int() != 0; }
void fill0(_Bool *p) { *p = nondet_int() != 0; }
void fill1(_Bool *p) { *p = nondet_int() != 0; }
static int whole(double x) {
  __CPROVER_assert(x > -2147483649.0 && x < 2147483648.0, "conversion");
  __CPROVER_assume(x > -2147483649.0 && x < 2147483648.0);
  return x;
}
"""
"""What stands for inputs, and for what cbmc does not check: it has no value that a truth value cannot have."""
_INPUT: Final = re.compile("|".join(re.escape(name) for name in INPUTS))
_RISKY: Final = re.compile(r"[*/%+~]|- |-\(|->|helper|down|half|::")
"""What may go wrong in a condition, or is not C."""


_WIDE: Final = re.compile(r"long v : \d")
_ENUMS: Final = {r"\benum mode\b(?! \{)": "unsigned", r"\benum sign\b(?! \{)": "int"}
"""The types that enumerations are compatible with for gcc and clang, and are not for cbmc."""


def can_be_compared(case: Case, limits: Limits) -> bool:
    """Conditions that may go wrong do not hold then, which cbmc does not know; and it cannot name what is hidden.

    What comes of a floating-point number that is too large, if that is no error, is not the same everywhere; nor is the
    type of a bit-field that is wider than `int`, which is its own for gcc and the declared one for clang.
    """
    if limits.undefined.left_out and FaultKind.BOUNDS in limits.undefined.reported:
        return False  # its checks are not of our kinds
    if limits.undefined.wraps and any(s.is_float for s in (*case.variables, *case.parameters)):
        return False
    if any(_WIDE.search(s.declaration) for s in case.variables):
        return False
    hypothesis = case.hypothesis
    known = {s.assume for s in (*case.variables, *case.parameters)}
    assumed = [w.text for w in hypothesis.assumes if w.text not in known]
    return not any(map(_RISKY.search, assumed)) and not any(v.is_hidden for v in case.variables)


def differences(
    case: Case, model: ReflexionModel, calls: Sequence[Call], folder: Path, limits: Limits
) -> tuple[list[str], Counter[str]]:
    """Where cbmc contradicts what the calls show or the conditions say, and what was compared."""
    wrong: list[str] = []
    seen: Counter[str] = Counter()
    for source in [*(leaf.name for leaf in case.hypothesis.leaves), OTHER]:
        asking = _Asking(case, model, source, limits)
        should = {call.target for call in calls if call.source == source}
        found = asking.targets(folder / "cbmc.c")
        wrong += [f"{source} -> {t} is only found by cbmc" for t in sorted(found - should)]
        wrong += [f"{source} -> {t} is not found by cbmc" for t in sorted(should - found)]
        wrong += asking.wrong_conditions()
        seen += Counter({"states with cbmc": 1, "conditions with cbmc": len(asking.conditions)})
    return wrong, seen


@final
class _Asking:
    """The runs of cbmc for one state before the call."""

    def __init__(self, case: Case, model: ReflexionModel, source: str, limits: Limits) -> None:
        self._case = case
        self._hypothesis = case.hypothesis
        self._source = source
        self._limits = limits
        self._reached: set[str] = set()
        found = [e for e in model.edges if e.source == source and e.condition is not None]
        self.conditions: list[Edge] = [e for e in found if e.condition and _is_safe(e.condition.text)]
        self._targets = [*(leaf.name for leaf in self._hypothesis.leaves), OTHER]

    def targets(self, file: Path) -> set[str]:
        """Where calls lead."""
        file.write_text(self._text(), encoding="utf-8")
        options = ["--unwind", UNWIND]
        if FaultKind.OVERFLOW in self._limits.undefined.wraps:
            options += ["--no-signed-overflow-check", "--no-undefined-shift-check"]
        self._reached = cbmc.reached(file, *options)
        found = {t for n, t in enumerate(self._targets) if f"to_{n}" in self._reached}
        found |= {name for name in (EXIT, ERROR) if name in self._reached}
        if not self._limits.undefined.left_out and cbmc.may_fail(file, *options):
            found.add(ERROR)
        return found

    def wrong_conditions(self) -> Iterator[str]:
        for number, edge in enumerate(self.conditions):
            condition = edge.condition
            assert condition is not None
            for what, is_wrong in (("wide", True), ("narrow", condition.exact)):
                if is_wrong and f"{what}_{number}" in self._reached:
                    yield f"{edge.source} -> {edge.target} when {condition.text} is too {what} for cbmc"

    def _text(self) -> str:
        case, hypothesis = self._case, self._hypothesis
        before = [*(w.text for w in hypothesis.assumes), in_c(hypothesis, self._source)]
        keep = [f"when_{n} = {_text_of(edge)};" for n, edge in enumerate(self.conditions)]
        names = [re.split(r"\W", p.declaration)[-1] for p in case.parameters if p.declaration]
        arguments = [*names, *(["s"] if ("*s" in dict(case.own)) else [])]
        call = " ".join([*keep, f"f({', '.join(arguments)});"])
        text = cbmc.harness(self._code(), list(self._chosen()), before, call, list(self._goals()))
        for enum, type in _ENUMS.items():
            text = re.sub(enum, type, text)
        return text

    def _code(self) -> str:
        """The function, and before it what stands for its surroundings."""
        text = self._case.flat.replace("#include <assert.h>\n#include <stdlib.h>\n", "")
        text = re.sub(r"static volatile .*;\n|_Bool get\d\(void\);\n|void fill\d\(_Bool \*p\);\n", "", text)
        text = re.sub(r"(\+|-)\1;", r" \1= 1;", text)  # of some types cbmc 6.6 has no `++`
        for scalar in (*self._case.variables, *self._case.parameters):
            if "_Bool v : 1" in scalar.declaration:
                # To cbmc 6.6 the other operand of `^=` is a truth value too.
                word = re.escape(scalar.name)
                text = re.sub(rf"({word}) (<<|>>|[-+*|&^])= ([^;]*);", r"\1 = \1 \2 (\3);", text)
            if scalar.is_float:
                text = text.replace(f"(int){scalar.name}", f"whole({scalar.name})")
        lines = "".join(f"_Bool when_{n};\n" for n in range(len(self.conditions)))
        lines += "".join(f"#define {let.name} ({let.words.text})\n" for let in self._hypothesis.lets)
        return f"{lines}{self._end('ended', EXIT)}{self._end('failed', ERROR)}{_OUTSIDE}{text}"

    def _end(self, function: str, target: str) -> str:
        """A call that ends early is one for which only conditions of such calls may hold."""
        goals = [f"__CPROVER_cover(goal_{target});"]
        for number, edge in enumerate(self.conditions):
            is_meant = edge.target == target
            goals.append(_cover(f"{'narrow' if is_meant else 'wide'}_{number}", f"{'!' * is_meant}when_{number}"))
        fails = '__CPROVER_assert(0, "failed"); ' if target == ERROR else ""
        return (
            f"static void {function}(void) {{ int goal_{target} = 1; {' '.join(goals)} {fails}__CPROVER_assume(0); }}\n"
        )

    def _goals(self) -> Iterator[str]:
        for number, target in enumerate(self._targets):
            yield _cover(f"to_{number}", in_c(self._hypothesis, target))
        for number, edge in enumerate(self.conditions):
            ends = meant(self._hypothesis, edge.target) if edge.is_claimed else {edge.target}
            taken = " || ".join(f"({in_c(self._hypothesis, t)})" for t in self._targets if t in ends) or "0"
            yield _cover(f"wide_{number}", f"when_{number} && !({taken})")
            yield _cover(f"narrow_{number}", f"!when_{number} && ({taken})")

    def _chosen(self) -> Iterator[str]:
        """Pointers lead where they may, and truth values are true or false; everything else is anything at first."""
        case = self._case
        objects = {name: f"own_{n}" for n, (name, _) in enumerate(case.own)}
        for (name, _), word in zip(case.own, objects.values(), strict=True):
            yield f"static struct {'rec' if name == '*s' else 'node'} {word};"
        for parameter in case.parameters:
            if parameter.declaration:
                yield f"{parameter.declaration};"
        if "*s" in objects:
            yield f"struct rec *s = &{objects['*s']};"
        for scalar in (*case.variables, *case.parameters):
            name = re.sub(r"^n->", f"{objects.get('*n')}.", scalar.name)
            if scalar.is_pointer:
                yield f"{name} = {_pointer(scalar, objects)};"
            elif scalar.values == (0, 1) and scalar.assume is None:
                yield f"{name} = nondet_int() != 0;"


def _pointer(scalar: Scalar, objects: dict[str, str]) -> str:
    text = "0"
    for target in scalar.values:
        assert isinstance(target, str)
        target = target.removeprefix("f::")  # static variables of the function stand outside of it here
        if target:
            is_function = target in ("on", "off")
            text = f"nondet_int() ? {target if is_function else f'&{objects.get(target, target)}'} : {text}"
    return text


def _cover(name: str, condition: str) -> str:
    return f"{{ _Bool goal_{name} = {condition}; __CPROVER_cover(goal_{name}); }}"


def _text_of(edge: Edge) -> str:
    assert edge.condition is not None
    return "1" if edge.condition.text == "always" else edge.condition.text


def _is_safe(text: str) -> bool:
    """Whether a condition is C that may be asked before each call."""
    return not _INPUT.search(text) and not re.search(r"\bn->|\*t|::|[~#]", text)


def in_c(hypothesis: Hypothesis, name: str) -> str:
    """That a valuation is in a state and in none inside it, or in no state."""
    if name == OTHER:
        return " && ".join(f"!({_whole(hypothesis, s.name)})" for s in hypothesis.states) or "1"
    inner = [s.name for s in hypothesis.states if s.parent == name]
    return " && ".join([f"({_whole(hypothesis, name)})", *(f"!({_whole(hypothesis, i)})" for i in inner)])


def _whole(hypothesis: Hypothesis, name: str) -> str:
    """That a valuation is in a state, or in one inside it."""
    state = hypothesis.by_name[name]
    inner = [s.name for s in hypothesis.states if s.parent == name]
    around = [s for s in hypothesis.ancestors(name)[1:] if s.condition is not None]
    own = state.condition.text if state.condition is not None else None
    if own is None:
        return " || ".join(f"({_whole(hypothesis, i)})" for i in inner)
    return " && ".join(f"({text})" for text in [*(s.condition.text for s in around if s.condition), own])

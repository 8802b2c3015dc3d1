"""Terms over the slots of a rest as text in the manner of C, for people: short, and cut where it would not be."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, final

from stateglass.explore.stretches import Flow, Part, Phase, Rest, Slot
from stateglass.program import Bool, Enum, Enumeration, representation
from stateglass.program.bits import signed
from stateglass.smt import Operator, Term
from stateglass.unbounded.given import Given, Posed

MOST_TEXT: Final = 240
"""A longer condition is cut."""
_MOST_DEPTH: Final = 24
_BOUND: Final = re.compile(r"([^()|&?]*) ([<>]=?) (-?[0-9]+)")

_SYMBOLS: Final = {
    Operator.EQUAL: "==",
    Operator.LESS: "<",
    Operator.LESS_EQUAL: "<=",
    Operator.SIGNED_LESS: "<",
    Operator.SIGNED_LESS_EQUAL: "<=",
    Operator.ADD: "+",
    Operator.SUBTRACT: "-",
    Operator.MULTIPLY: "*",
    Operator.DIVIDE: "/",
    Operator.REMAINDER: "%",
    Operator.SIGNED_DIVIDE: "/",
    Operator.SIGNED_REMAINDER: "%",
    Operator.BIT_AND: "&",
    Operator.BIT_OR: "|",
    Operator.BIT_XOR: "^",
    Operator.SHIFT_LEFT: "<<",
    Operator.SHIFT_RIGHT: ">>",
    Operator.SIGNED_SHIFT_RIGHT: ">>",
}
_OVERFLOWS: Final = {
    Operator.ADD_OVERFLOWS: "+",
    Operator.SUBTRACT_OVERFLOWS: "-",
    Operator.MULTIPLY_OVERFLOWS: "*",
}
_OPPOSITES: Final = {"==": "!=", "<": ">=", "<=": ">"}
_TURNED: Final = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_SIGNED: Final = frozenset(
    (
        Operator.SIGNED_LESS,
        Operator.SIGNED_LESS_EQUAL,
        Operator.SIGNED_DIVIDE,
        Operator.SIGNED_REMAINDER,
        Operator.SIGNED_SHIFT_RIGHT,
    )
)
_UNSIGNED: Final = frozenset(
    (Operator.LESS, Operator.LESS_EQUAL, Operator.DIVIDE, Operator.REMAINDER, Operator.SHIFT_RIGHT)
)


def invariant_texts(
    flow: Flow, invariant: tuple[Term, ...], enums: Mapping[str, Enumeration]
) -> tuple[tuple[str, str], ...]:
    """The conditions that say something, each with the place where it holds; most of all those of loops."""
    found = []
    for rest, term in zip(flow.rests, invariant, strict=True):
        if rest.phase not in (Phase.LOOP, Phase.STABLE) or term in (flow.terms.true, flow.terms.false):
            continue
        found.append((place_of(rest), condition_text(term, rest, enums)))
    return tuple(found)


def asked_texts(
    found: Sequence[tuple[Rest, Sequence[Term]]], enums: Mapping[str, Enumeration], posed: Sequence[Posed] = ()
) -> tuple[tuple[str, str], ...]:
    """What is asked at places where code can be interrupted, most of all in loops and between calls; without what the
    user has asked."""
    own = {(p.rest.number, term) for p in posed for term in (p.condition, p.opposite)}
    left = [(rest, [term for term in terms if (rest.number, term) not in own]) for rest, terms in found]
    chosen = [(rest, terms) for rest, terms in left if terms and rest.phase in (Phase.LOOP, Phase.STABLE)]
    texts = ((place_of(rest), ", ".join(condition_text(term, rest, enums) for term in terms)) for rest, terms in chosen)
    return tuple((place, text if len(text) <= MOST_TEXT else f"{text[: MOST_TEXT - 1]}…") for place, text in texts)


def given_texts(given: Sequence[Given], posed: Sequence[Posed]) -> tuple[tuple[str, str], ...]:
    """Where predicates of the user are asked, as they wrote them; without a place those that are asked nowhere."""
    found: dict[str, dict[str, None]] = {}
    for one in given:
        rests = [p.rest for p in posed if p.text == one.text]
        shown = [rest for rest in rests if rest.phase in (Phase.LOOP, Phase.STABLE)] or rests[:1]
        for place in (place_of(rest) for rest in shown) if shown else ("",):
            found.setdefault(place, {})[one.text] = None
    return tuple((place, ", ".join(texts)) for place, texts in found.items())


def place_of(rest: Rest) -> str:
    """Where a rest is, in words."""
    where = f"{rest.span.file}:{rest.span.line}" if rest.span.line else ""
    match rest.phase:
        case Phase.STABLE:
            return "between calls"
        case Phase.LOOP:
            return f"loop at {where}"
        case _:
            return f"{rest.phase.value} {rest.what}".strip() + (f" at {where}" if where else "")


def condition_text(term: Term, rest: Rest, enums: Mapping[str, Enumeration]) -> str:
    """A condition on the slots of a rest."""
    text = _Telling({slot.term: slot for slot in rest.slots}, enums).condition(term, _MOST_DEPTH)
    return text if len(text) <= MOST_TEXT else f"{text[: MOST_TEXT - 1]}…"


@final
class _Telling:
    def __init__(self, slots: Mapping[Term, Slot], enums: Mapping[str, Enumeration]) -> None:
        self._slots = slots
        self._enums = enums

    # ---- truth values

    def condition(self, term: Term, depth: int, *, inner: bool = False) -> str:
        """With `inner`, what consists of several parts stands in parentheses."""
        if depth == 0:
            return "…"
        operands = term.operands
        match term.operator:
            case Operator.VALUE:
                return "true" if term.value else "false"
            case Operator.VARIABLE:
                return self._named_truth(term)
            case Operator.NOT:
                return self._negated(operands[0], depth)
            case Operator.AND | Operator.OR:
                parts = [self.condition(o, depth - 1, inner=True) for o in operands]
                text = " && ".join(_met(parts)) if term.operator is Operator.AND else " || ".join(parts)
                return f"({text})" if inner else text
            case Operator.CHOOSE:
                asked, then, other = (self.condition(o, depth - 1, inner=True) for o in operands)
                return f"({asked} ? {then} : {other})"
            case Operator.EQUAL if operands[0].width == 0:
                one, two = (self.condition(o, depth - 1, inner=True) for o in operands)
                return f"({one}) == ({two})"
            case operator if operator in _OVERFLOWS:
                one, two = (self._operand(o, depth, is_signed=True) for o in operands)
                return f"{one} {_OVERFLOWS[operator]} {two} overflows"
            case operator if operator in _SYMBOLS:
                return self._comparison(term, depth, _SYMBOLS[operator])
            case operator:
                listed = ", ".join(self.number(o, depth - 1, None) for o in operands)
                return f"{operator.name.lower()}({listed})"

    def _negated(self, term: Term, depth: int) -> str:
        symbol = _SYMBOLS.get(term.operator)
        if symbol in _OPPOSITES and term.operands[0].width:
            return self._comparison(term, depth, _OPPOSITES[symbol])
        if term.operator in (Operator.AND, Operator.OR):
            sign = " || " if term.operator is Operator.AND else " && "
            return "(" + sign.join(self._opposite(o, depth - 1) for o in term.operands) + ")"
        if term.operator is Operator.VARIABLE and (slot := self._slots.get(term)) is not None:
            return f"{slot.name} has a value" if slot.part is Part.ABSENT else f"!{slot.name}"
        return f"!({self.condition(term, depth - 1)})"

    def _opposite(self, term: Term, depth: int) -> str:
        if depth <= 0:
            return "…"
        if term.operator is Operator.NOT:
            return self.condition(term.operands[0], depth, inner=True)
        return self._negated(term, depth)

    def _named_truth(self, term: Term) -> str:
        slot = self._slots.get(term)
        if slot is None:
            return str(term.extra)
        return f"{slot.name} has no value" if slot.part is Part.ABSENT else slot.name

    def _comparison(self, term: Term, depth: int, symbol: str) -> str:
        one, two = term.operands
        is_signed = term.operator in _SIGNED
        if term.operator is Operator.EQUAL:
            is_signed = self._reads_signed(one) or self._reads_signed(two)
        if one.value is not None and two.value is None:
            one, two, symbol = two, one, _TURNED[symbol]
        slot = self._slots.get(one)
        if slot is not None and two.value is not None:
            special = self._special(slot, two.value, symbol)
            if special:
                return special
        moved = _moved(one, two)
        if moved is not None:
            inner, number = moved
            return f"{self.number(inner, depth - 1, is_signed)} {symbol} {number}"
        # Whether two rows of bits are the same does not depend on how they are read.
        own = term.operator is Operator.EQUAL
        texts = (self.number(o, depth - 1, None if own and o.value is None else is_signed) for o in (one, two))
        return f" {symbol} ".join(texts)

    def _special(self, slot: Slot, value: int, symbol: str) -> str:
        """A comparison with a constant that is no number for people."""
        is_truth = slot.part is Part.BIT or isinstance(slot.type, Bool)
        if is_truth and symbol in ("==", "!=") and value in (0, 1):
            return slot.name if (symbol == "==") == (value == 1) else f"!{slot.name}"
        if slot.part is Part.INDEX and symbol in ("==", "!=") and value < len(slot.addresses):
            address = slot.addresses[value]
            return f"{slot.name} {symbol} {hex(address) if address else 0}"
        if isinstance(slot.type, Enum) and slot.part is Part.VALUE and symbol in ("==", "!="):
            whole = representation(slot.type)
            number = signed(value, whole.bits) if whole.signed else value
            definition = self._enums.get(slot.type.name)
            for name, meant in definition.members if definition is not None else ():
                if meant == number:
                    return f"{slot.name} {symbol} {name}"
        return ""

    # ---- rows of bits

    def number(self, term: Term, depth: int, is_signed: bool | None) -> str:
        """A row of bits, read as signed or not; None: as its variables are."""
        if depth <= 0:
            return "…"
        if is_signed is None:
            is_signed = self._reads_signed(term)
        operands, operator = term.operands, term.operator
        match operator:
            case Operator.VALUE:
                assert term.value is not None
                return str(signed(term.value, term.width) if is_signed else term.value)
            case Operator.VARIABLE:
                return self._named_number(term, is_signed)
            case Operator.NEGATE:
                return f"-{self._operand(operands[0], depth, is_signed)}"
            case Operator.COMPLEMENT:
                return f"~{self._operand(operands[0], depth, is_signed)}"
            case Operator.ADD:
                return self._sum(operands, depth, is_signed)
            case Operator.ZERO_EXTEND:
                return self.number(operands[0], depth, is_signed=False)
            case Operator.SIGN_EXTEND:
                return self.number(operands[0], depth, is_signed=True)
            case Operator.PART:
                high, low = term.extra
                inside = self._operand(operands[0], depth, self._reads_signed(operands[0]))
                shifted = f"({inside} >> {low})" if low else inside
                return f"({shifted} & {(1 << (high - low + 1)) - 1:#x})"
            case Operator.CHOOSE:
                asked = self.condition(operands[0], depth - 1, inner=True)
                then, other = (self.number(o, depth - 1, is_signed) for o in operands[1:])
                return f"({asked} ? {then} : {other})"
            case _ if operator in _SYMBOLS:
                reading = operator in _SIGNED or (operator not in _UNSIGNED and is_signed)
                texts = (self._operand(o, depth, reading) for o in operands)
                return f" {_SYMBOLS[operator]} ".join(texts)
            case _:
                listed = ", ".join(self.number(o, depth - 1, None) for o in operands)
                return f"{operator.name.lower()}({listed})"

    def _sum(self, operands: tuple[Term, ...], depth: int, is_signed: bool) -> str:
        """Constants come last, negative ones are taken away."""
        ordered = sorted(operands, key=lambda o: o.value is not None)
        text = ""
        for at, operand in enumerate(ordered):
            part = self._operand(operand, depth, is_signed=True if operand.value is not None else is_signed)
            if at == 0:
                text = part
            elif part.startswith("-"):
                text += f" - {part[1:]}"
            else:
                text += f" + {part}"
        return text

    def _operand(self, term: Term, depth: int, is_signed: bool) -> str:
        text = self.number(term, depth - 1, is_signed)
        return f"({text})" if " " in text and not text.startswith("(") else text

    def _named_number(self, term: Term, is_signed: bool) -> str:
        slot = self._slots.get(term)
        if slot is None:
            return str(term.extra)
        name = f"unset bits of {slot.name}" if slot.part is Part.HOLES else slot.name
        if slot.part is not Part.VALUE or _is_signed(slot) == is_signed:
            return name
        return f"({'signed' if is_signed else 'unsigned'}){name}"

    def _reads_signed(self, term: Term) -> bool:
        """Whether a variable in it is read as a signed number."""
        stack, seen = [term], {term}
        while stack and len(seen) < 64:
            node = stack.pop()
            slot = self._slots.get(node)
            if slot is not None and slot.part is Part.VALUE and _is_signed(slot):
                return True
            more = [o for o in node.operands if o.width and o not in seen and node.operator is not Operator.PART]
            seen.update(more)
            stack += more
        return False


def _met(parts: list[str]) -> list[str]:
    """Conditions that hold together, in which `x > 7` and `x < 9` have become `x == 8`."""
    ends: dict[tuple[str, bool], tuple[int, int]] = {}  # by what is compared and whether from below: value, position
    for position, part in enumerate(parts):
        found = _BOUND.fullmatch(part)
        if found is not None:
            whole, sign, number = found.group(1), found.group(2), int(found.group(3))
            ends[whole, sign[0] == ">"] = number + {">": 1, "<": -1}.get(sign, 0), position
    result = dict(enumerate(parts))
    for (whole, from_below), (least, position) in ends.items():
        most = ends.get((whole, False))
        if from_below and most is not None and most[0] == least:
            result[min(position, most[1])] = f"{whole} == {least}"
            del result[max(position, most[1])]
    return list(result.values())


def _moved(one: Term, two: Term) -> tuple[Term, int] | None:
    """Of `x + c` compared with `d`, where no sum leaves its width: `x` and `d - c`."""
    if two.value is None or one.operator is not Operator.ADD or len(one.operands) != 2:
        return None
    inner, added = sorted(one.operands, key=lambda o: o.value is not None)
    if added.value is None or inner.operator not in (Operator.SIGN_EXTEND, Operator.ZERO_EXTEND):
        return None
    width, small = one.width, inner.operands[0].width
    low, high = (-(1 << (small - 1)), 1 << (small - 1)) if inner.operator is Operator.SIGN_EXTEND else (0, 1 << small)
    number, bound = signed(added.value, width), signed(two.value, width)
    room = 1 << (width - 1)
    fits = -room <= low + number and high + number <= room and -room <= bound - number < room
    return (inner, bound - number) if fits else None


def _is_signed(slot: Slot) -> bool:
    return representation(slot.type).signed

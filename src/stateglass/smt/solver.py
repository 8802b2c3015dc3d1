"""Asks bitwuzla whether there is a valuation, again and again on one growing set of facts.

Answers must not depend on how fast or busy a machine is. So a question is limited by effort, the number of times that
the solver asks whether to stop, which depends on its work alone; seconds are a limit only where somebody asks for it.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from enum import Enum, unique
from typing import Any, Final, final
from weakref import WeakMethod

import bitwuzla

from stateglass.smt.batch import evaluate, needed
from stateglass.smt.effort import QUESTION, Effort
from stateglass.smt.operators import Operator
from stateglass.smt.solved_floats import SolvedFloats
from stateglass.smt.term import Term
from stateglass.work.held_back import HeldBack

_Kind = bitwuzla.Kind
_KINDS: Final = {
    Operator.NOT: _Kind.NOT,
    Operator.AND: _Kind.AND,
    Operator.OR: _Kind.OR,
    Operator.EQUAL: _Kind.EQUAL,
    Operator.LESS: _Kind.BV_ULT,
    Operator.LESS_EQUAL: _Kind.BV_ULE,
    Operator.SIGNED_LESS: _Kind.BV_SLT,
    Operator.SIGNED_LESS_EQUAL: _Kind.BV_SLE,
    Operator.ADD_OVERFLOWS: _Kind.BV_SADD_OVERFLOW,
    Operator.SUBTRACT_OVERFLOWS: _Kind.BV_SSUB_OVERFLOW,
    Operator.MULTIPLY_OVERFLOWS: _Kind.BV_SMUL_OVERFLOW,
    Operator.CHOOSE: _Kind.ITE,
    Operator.NEGATE: _Kind.BV_NEG,
    Operator.COMPLEMENT: _Kind.BV_NOT,
    Operator.ADD: _Kind.BV_ADD,
    Operator.SUBTRACT: _Kind.BV_SUB,
    Operator.MULTIPLY: _Kind.BV_MUL,
    Operator.DIVIDE: _Kind.BV_UDIV,
    Operator.REMAINDER: _Kind.BV_UREM,
    Operator.SIGNED_DIVIDE: _Kind.BV_SDIV,
    Operator.SIGNED_REMAINDER: _Kind.BV_SREM,
    Operator.BIT_AND: _Kind.BV_AND,
    Operator.BIT_OR: _Kind.BV_OR,
    Operator.BIT_XOR: _Kind.BV_XOR,
    Operator.SHIFT_LEFT: _Kind.BV_SHL,
    Operator.SHIFT_RIGHT: _Kind.BV_SHR,
    Operator.SIGNED_SHIFT_RIGHT: _Kind.BV_ASHR,
    Operator.JOIN: _Kind.BV_CONCAT,
}
_SQUARE: Final = frozenset(
    {
        Operator.MULTIPLY,
        Operator.MULTIPLY_OVERFLOWS,
        Operator.DIVIDE,
        Operator.REMAINDER,
        Operator.SIGNED_DIVIDE,
        Operator.SIGNED_REMAINDER,
    }
)
"""What takes about the square of its width in gates."""
PIECE: Final = 40_000
"""The solver is given about so many gates at a time: while it makes them, which takes some 0.3 s, it never asks whether
to stop."""
FLOAT_SECONDS: Final = 8e-6
"""For each gate of floating-point operators, where others are at work, too. They cannot be given piece by piece: the
solver makes them in the middle of a question, all of them before it asks again whether to stop."""
EASY: Final = 100
"""When all effort is spent, a question may still cost one part in so many of what it might have cost before."""


@final
@unique
class Answer(Enum):
    """Whether there is a valuation."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


@final
class Unanswered(Exception):
    """The solver gave up, or was told to."""


@final
class Solver:
    """One set of facts, for many questions.

    Assumptions hold for one question only. What the solver learns from them stays valid afterwards, which is why facts
    that change are assumed and not added to a new solver.
    """

    def __init__(
        self, effort: int = 0, seconds: float | None = None, total: int = 0, shared: Effort | None = None
    ) -> None:
        """Each question may cost `effort` (0: any amount). When all together have cost `total` (0: any amount),
        further ones are answered only if they are easy. After so many `seconds` none is answered, nor when what is
        `shared` with others is spent.
        """
        self._manager = bitwuzla.TermManager()
        options = bitwuzla.Options()
        options.set(bitwuzla.Option.PRODUCE_MODELS, True)
        options.set(bitwuzla.Option.PRODUCE_UNSAT_ASSUMPTIONS, True)
        # Preprocessing starts over for each question, which costs more than it saves when they are many.
        options.set(bitwuzla.Option.PREPROCESS, False)
        self._solver = bitwuzla.Bitwuzla(self._manager, options)
        self._effort = effort
        self._total = total
        self._shared = shared
        self._spent_in_all = 0
        self.spent = 0  # on the last question
        self._held_back = HeldBack()
        self._deadline = None if seconds is None else time.monotonic() + seconds
        # Held weakly: the solver would hold this object and be held by it, which nobody could take apart.
        asked = WeakMethod(self._stops)
        self._solver.configure_terminator(lambda: (stops := asked()) is None or stops())
        # Kept for as long as the solver: terms share most of their parts from question to question.
        self._translated: dict[Term, Any] = {}
        self._floats = SolvedFloats(self._manager, self._solver.assert_formula)
        self._assumed: list[tuple[Term, Any]] = []
        self._gates = 0  # about so many are to be made of what was translated last
        self._pieces: list[Term] = []  # terms of which the solver has made nothing so far, each with many gates
        self._float_gates = 0  # about so many are still to be made of floating-point operators
        self._is_fed = False
        self.questions = 0
        self.late = False  # a question was not answered because there was no time left, or no effort that is shared

    def __del__(self) -> None:
        """Terms have to go before what has made them, which whoever collects garbage does not know."""
        try:
            self._take_apart()
        finally:
            self._take_apart()  # Ctrl-C or an alarm may have come in between, and nobody asks again

    def _take_apart(self) -> None:
        while self.__dict__:
            self.__dict__.popitem()  # what came last is first

    def _stops(self) -> bool:
        """Called by the solver at places that depend on its work alone: the number of calls is the effort."""
        if self._is_fed:
            return True
        self.spent += 1
        if self._shared is not None:
            self._shared.spend(1)
        return self._held_back.noted or self._is_late() or 0 < self._allowed < self.spent

    @property
    def _allowed(self) -> int:
        """What a question may cost now."""
        is_spent = 0 < self._total <= self._spent_in_all
        # Rounded up: 0 would be no limit at all.
        return -(-self._effort // EASY) if is_spent else self._effort

    def _is_late(self) -> bool:
        is_spent = self._shared is not None and self._shared.is_spent()
        is_over = self._deadline is not None and time.monotonic() > self._deadline
        self.late = self.late or is_spent or is_over
        return self.late

    def add(self, *facts: Term) -> None:
        """From now on these are true."""
        for fact in facts:
            self._solver.assert_formula(self._translate(fact))

    def check(self, assumptions: Iterable[Term] = ()) -> Answer:
        self.questions += 1
        if self._is_late():
            return Answer.UNKNOWN
        self.spent = 0
        if self._shared is not None:
            self._shared.spend(QUESTION)
        self._assumed = [(a, self._translate(a)) for a in assumptions]
        if (self._pieces and not self._feed()) or self._is_too_late_for_floats():
            return Answer.UNKNOWN
        self._float_gates = 0
        try:
            with self._held_back:
                result = self._solver.check_sat(*(t for _, t in self._assumed))
        finally:
            self._spent_in_all += self.spent
        if result is bitwuzla.Result.SAT:
            return Answer.YES
        return Answer.NO if result is bitwuzla.Result.UNSAT else Answer.UNKNOWN

    def _is_too_late_for_floats(self) -> bool:
        if self._deadline is not None and self._float_gates:
            self.late = self.late or time.monotonic() + self._float_gates * FLOAT_SECONDS > self._deadline
        return self.late

    def _feed(self) -> bool:
        """Lets the solver make the gates of what was translated, piece by piece; whether there was time for all.

        Questions that are not answered: it stops as soon as it asks whether to, which is when it begins to search.
        """
        self._is_fed = True
        try:
            while self._pieces:
                if self._is_late():
                    return False
                piece = self._pieces.pop(0)
                with self._held_back:
                    self._solver.check_sat(self._condition(piece))
        finally:
            self._is_fed = False
        return True

    def _condition(self, term: Term) -> Any:
        """A condition on a term that is of no further interest."""
        translated = self._translated[term]
        if not term.width:
            return translated
        zero = self._manager.mk_bv_value(self._manager.mk_bv_sort(term.width), 0)
        return self._manager.mk_term(_Kind.EQUAL, [translated, zero])

    def value(self, term: Term) -> int:
        """What a term is in the valuation that was found."""
        if term not in self._translated and any(n.operator >= Operator.FLOAT_ADD for n in needed([term])):
            # Translating a floating-point operator adds facts (see `SolvedFloats`), which the valuation that was found
            # does not know of: the term is computed from the values of its variables instead.
            return evaluate(term, {v: self.value(v) for v in needed([term]) if v.operator is Operator.VARIABLE})
        found = self._solver.get_value(self._translate(term)).value(10 if term.width else 2)
        return int(found)

    def core(self) -> list[Term]:
        """Those of the last question's assumptions that rule each other out."""
        # The binding makes a new object for each term that it returns: only ids tell which one it is.
        failed = {str(t.id()) for t in self._solver.get_unsat_assumptions()}
        return [a for a, t in self._assumed if str(t.id()) in failed]

    def _translate(self, term: Term) -> Any:
        known = self._translated
        if term not in known:
            before = len(known)
            for node in needed([term]):
                if node not in known:
                    known[node] = self._made(node, [known[o] for o in node.operands])
                    self._gates += _gates(node)
                    self._float_gates += _gates(node) if node.operator >= Operator.FLOAT_ADD else 0
                    if self._gates > PIECE:
                        self._pieces.append(node)
                        self._gates = 0
            if self._shared is not None:
                self._shared.spend(len(known) - before)
        return known[term]

    def _made(self, node: Term, operands: list[Any]) -> Any:
        manager = self._manager
        match node.operator:
            case Operator.VALUE if node.width == 0:
                return manager.mk_true() if node.extra else manager.mk_false()
            case Operator.VALUE:
                return manager.mk_bv_value(manager.mk_bv_sort(node.width), node.extra)
            case Operator.VARIABLE:
                sort = manager.mk_bv_sort(node.width) if node.width else manager.mk_bool_sort()
                return manager.mk_const(sort, node.extra)
            case Operator.PART:
                return manager.mk_term(_Kind.BV_EXTRACT, operands, list(node.extra))
            case Operator.ZERO_EXTEND | Operator.SIGN_EXTEND:
                zeros = node.operator is Operator.ZERO_EXTEND
                kind = _Kind.BV_ZERO_EXTEND if zeros else _Kind.BV_SIGN_EXTEND
                return manager.mk_term(kind, operands, [node.width - node.operands[0].width])
            case operator if operator >= Operator.FLOAT_ADD:
                return self._floats.made(node, operands)
            case operator:
                return manager.mk_term(_KINDS[operator], operands)


def _gates(node: Term) -> int:
    """About how many gates the solver makes of an operator."""
    width = max((operand.width for operand in node.operands), default=0)
    return width * width if node.operator in _SQUARE or node.operator >= Operator.FLOAT_ADD else width

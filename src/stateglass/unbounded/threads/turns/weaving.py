"""Threads that take turns as one function: a block for each spot where all of them rest, and the code between two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, final

from stateglass.program import (
    Block,
    Branch,
    Call,
    Case,
    Fail,
    Function,
    Input,
    Int,
    Jump,
    Load,
    Local,
    Return,
    Switch,
    Terminator,
    Void,
    successors,
)
from stateglass.program.faults import FaultKind
from stateglass.program.nodes import redirected
from stateglass.source import NOWHERE, Code, input_error
from stateglass.unbounded.threads.turns.bodies import Next
from stateglass.unbounded.threads.turns.conditions import YES
from stateglass.unbounded.threads.turns.meeting import Meeting, Option, Spot

WOVEN: Final = "%threads"
"""The function that does what threads do."""
DEADLOCK: Final = "deadlock"
MOST_BLOCKS: Final = 100_000
MOST_SPOTS: Final = 4_000
_NUMBER: Final = Int(32, signed=True)


@final
@dataclass(frozen=True)
class Woven:
    """The function, who may move each time, and what everybody waits for where nothing can happen."""

    function: Function
    turns: tuple[tuple[str, ...], ...]  # the variable of each is `turn_variable` of its number
    spots: int
    deadlocks: tuple[str, ...]  # by the number that is told before


def turn_variable(number: int) -> str:
    """The input that says who moves, where those numbered so may."""
    return f"%turn{number}"


def stopping(number: int) -> str:
    """The function without a body that says where nothing can happen."""
    return f"{DEADLOCK} {number}"


def woven(meeting: Meeting, start: Spot, *, fails: bool) -> Woven:
    """All orders in which threads can move; `fails`: that nothing can happen is an error."""
    return _Weaving(meeting, fails=fails).run(start)


@final
class _Weaving:
    def __init__(self, meeting: Meeting, *, fails: bool) -> None:
        self._meeting = meeting
        self._fails = fails
        self._blocks: list[Block] = []
        self._spots: dict[Spot, int] = {}
        self._work: list[Spot] = []
        self._turns: dict[tuple[str, ...], int] = {}
        self._turn = Local("%turn", _NUMBER)
        self._deadlocks: list[str] = []

    def run(self, start: Spot) -> Woven:
        self._spot(start)
        for spot in self._work:  # it grows
            self._write(spot)
        own = [local for m in self._meeting.members if m.body is not None for local in m.body.locals]
        function = Function(WOVEN, Void(), (), (self._turn, *own), tuple(self._blocks))
        return Woven(function, tuple(self._turns), len(self._spots), tuple(self._deadlocks))

    def _spot(self, spot: Spot) -> int:
        """The block of a spot."""
        spot = tuple(self._settled(number, at) for number, at in enumerate(spot))
        if spot not in self._spots:
            if len(self._spots) >= MOST_SPOTS:
                message = f"there are more than {MOST_SPOTS:,} places where all threads may rest together"
                raise input_error(Code.TOO_LARGE, message, help="share fewer variables directly")
            self._spots[spot] = self._new(Return(None))
            self._work.append(spot)
        return self._spots[spot]

    def _settled(self, number: int, at: int) -> int:
        """A halt behind which another one follows at once is that one."""
        body = self._meeting.members[number].body
        if body is None:
            return at
        while body.halts[at].next is Next.CODE:
            block = body.blocks[body.halts[at].entry]
            if block.statements or not isinstance(block.terminator, Jump):
                return at
            target = block.terminator.target
            if target >= 0:
                return at
            at = -1 - target
        return at

    def _new(self, terminator: Terminator, *statements: Call) -> int:
        if len(self._blocks) >= MOST_BLOCKS:
            raise input_error(Code.TOO_LARGE, f"what threads do together has more than {MOST_BLOCKS:,} blocks")
        self._blocks.append(Block(statements, terminator))
        return len(self._blocks) - 1

    def _write(self, spot: Spot) -> None:
        options = self._meeting.options(spot)
        number = self._spots[spot]
        if not options:
            self._blocks[number] = self._stopped(spot)
            return
        done = [self._done(spot, option) for option in options]
        always = options[0].condition == YES
        # Whoever cannot move leaves the turn to the first who can.
        other = done[0] if always else self._first(spot, options, done)
        tests = [
            block if option.condition == YES else self._new(Branch(option.condition, block, other, option.span))
            for option, block in zip(options, done, strict=True)
        ]
        texts = tuple(option.text for option in options)
        variable = turn_variable(self._turns.setdefault(texts, len(self._turns)))
        span = next((option.span for option in options if option.span.line), NOWHERE)
        chosen = Switch(
            Load(self._turn, _NUMBER), tuple(Case(n, n, block) for n, block in enumerate(tests[1:], 1)), tests[0]
        )
        asked = Block((Input(self._turn, variable, _NUMBER, span),), chosen)
        if always:
            self._blocks[number] = asked
            return
        # Nobody is asked where nothing can happen.
        choice = len(self._blocks)
        self._blocks.append(asked)
        entry: int = self._add(self._stopped(spot))
        for option in reversed(options):
            entry = self._new(Branch(option.condition, choice, entry, option.span))
        self._blocks[number] = Block((), Jump(entry))

    def _add(self, block: Block) -> int:
        self._blocks.append(block)
        return len(self._blocks) - 1

    def _first(self, spot: Spot, options: Sequence[Option], done: Sequence[int]) -> int:
        """The first of several that can happen, of which one can."""
        entry = done[-1]
        for option, block in reversed(list(zip(options[:-1], done[:-1], strict=True))):
            entry = self._new(Branch(option.condition, block, entry, option.span))
        return entry

    def _stopped(self, spot: Spot) -> Block:
        if self._meeting.is_over(spot):
            return Block((), Return(None))
        number = len(self._deadlocks)
        self._deadlocks.append(self._meeting.waits(spot))
        told = Call(None, stopping(number), ())
        return Block((told,) if self._fails else (), Fail(DEADLOCK) if self._fails else Return(None))

    # ---- what happens

    def _done(self, spot: Spot, option: Option) -> int:
        """The block with which something happens."""
        if option.fails:
            return self._new(Fail(FaultKind.PROCESS.value))
        if option.runs is not None:
            return self._code(spot, option.runs)
        then = tuple(option.moves.get(number, at) for number, at in enumerate(spot))
        return self._add(Block(option.told, Jump(self._spot(then))))

    def _code(self, spot: Spot, member: int) -> int:
        """The code of a thread from its halt to the next ones."""
        body = self._meeting.members[member].body
        assert body is not None
        entry = body.halts[spot[member]].entry
        numbers: dict[int, int] = {}
        work = [entry]
        while work:
            block = work.pop()
            if block in numbers:
                continue
            numbers[block] = self._new(Return(None))
            work += [target for target in successors(body.blocks[block].terminator) if target >= 0]

        def to(target: int) -> int:
            if target >= 0:
                return numbers[target]
            return self._spot((*spot[:member], -1 - target, *spot[member + 1 :]))

        for block, number in numbers.items():
            own = body.blocks[block]
            self._blocks[number] = replace(own, terminator=redirected(own.terminator, to))
        return numbers[entry]

"""Threads that take turns as one function: a block for each spot where all of them rest, and the code between two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, final

from stateglass.program import (
    Block,
    Branch,
    Call,
    Case,
    Constant,
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
from stateglass.source import NOWHERE, Span
from stateglass.unbounded.temporal.numbers import NotKnown
from stateglass.unbounded.threads.turns.bodies import Next
from stateglass.unbounded.threads.turns.conditions import YES
from stateglass.unbounded.threads.turns.meeting import Meeting, Option, Spot

WOVEN: Final = "%threads"
"""The function that does what threads do."""
DEADLOCK: Final = "%deadlock"
"""The function without a body that says where nothing can happen; then a process is in error, which is always seen."""
MOST_BLOCKS: Final = 40_000
MOST_CONDITIONS: Final = 6
MOST_SPOTS: Final = 2_000
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
        self._alike: dict[tuple[int, int], int] = {}  # the first halt that goes on at a block, by the member
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
                raise NotKnown(f"there are more than {MOST_SPOTS:,} places at which all threads may rest together")
            self._spots[spot] = self._new(Return(None))
            self._work.append(spot)
        return self._spots[spot]

    def _settled(self, number: int, at: int) -> int:
        """A halt behind which another one follows at once is that one, and all that go on alike are the same."""
        body = self._meeting.members[number].body
        if body is None:
            return at
        while body.halts[at].next is Next.CODE:
            target = _behind(body.blocks, body.halts[at].entry)
            if target >= 0:
                return self._alike.setdefault((number, target), at)
            at = -1 - target
        return at

    def _new(self, terminator: Terminator, *statements: Call) -> int:
        if len(self._blocks) >= MOST_BLOCKS:
            raise NotKnown(f"what threads do in turns has more than {MOST_BLOCKS:,} pieces")
        self._blocks.append(Block(statements, terminator))
        return len(self._blocks) - 1

    def _write(self, spot: Spot) -> None:
        options = self._meeting.options(spot)
        if sum(option.condition != YES for option in options) > MOST_CONDITIONS:
            raise NotKnown(f"more than {MOST_CONDITIONS} events may happen at once, depending on their arguments")
        span = next((span for option in options if (span := self._span(spot, option)).line), NOWHERE)
        done = [self._done(spot, option) for option in options]
        entry = self._choice(spot, list(zip(options, done, strict=True)), (), span)
        self._blocks[self._spots[spot]] = Block((), Jump(entry, span))

    def _choice(
        self, spot: Spot, left: Sequence[tuple[Option, int]], able: tuple[tuple[Option, int], ...], span: Span
    ) -> int:
        """Asks who moves, of those who can; of the ones that are `left` it is not known yet."""
        if left:
            (option, block), *others = left
            with_it = self._choice(spot, others, (*able, (option, block)), span)
            if option.condition == YES:
                return with_it
            return self._new(Branch(option.condition, with_it, self._choice(spot, others, able, span), span))
        if not able:
            return self._add(self._stopped(spot))
        texts = tuple(option.text for option, _ in able)
        variable = turn_variable(self._turns.setdefault(texts, len(self._turns)))
        first, *others_able = (block for _, block in able)
        cases = tuple(Case(number, number, block) for number, block in enumerate(others_able, 1))
        asked = Input(self._turn, variable, _NUMBER, span)
        return self._add(Block((asked,), Switch(Load(self._turn, _NUMBER), cases, first)))

    def _span(self, spot: Spot, option: Option) -> Span:
        """Where the code stands with which something happens."""
        body = None if option.runs is None else self._meeting.members[option.runs].body
        if body is None or option.runs is None:
            return option.span
        target = _behind(body.blocks, body.halts[spot[option.runs]].entry)
        if target < 0:
            return body.halts[-1 - target].span
        block = body.blocks[target]
        return next((s.span for s in (*block.statements, block.terminator) if s.span.line), NOWHERE)

    def _add(self, block: Block) -> int:
        self._blocks.append(block)
        return len(self._blocks) - 1

    def _stopped(self, spot: Spot) -> Block:
        if self._meeting.is_over(spot):
            return Block((), Return(None))
        number = len(self._deadlocks)
        self._deadlocks.append(self._meeting.waits(spot))
        told = Call(None, DEADLOCK, (Constant(number, _NUMBER),))
        return Block((told,) if self._fails else (), Fail(FaultKind.PROCESS.value) if self._fails else Return(None))

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
        blocks = body.blocks
        behind = partial(_behind, blocks)
        entry = body.halts[spot[member]].entry
        numbers: dict[int, int] = {}
        work = [entry]
        while work:
            block = work.pop()
            if block in numbers:
                continue
            numbers[block] = self._new(Return(None))
            work += [target for to in successors(blocks[block].terminator) if (target := behind(to)) >= 0]

        def to(target: int) -> int:
            target = behind(target)
            if target >= 0:
                return numbers[target]
            return self._spot((*spot[:member], -1 - target, *spot[member + 1 :]))

        for block, number in numbers.items():
            own = blocks[block]
            self._blocks[number] = replace(own, terminator=redirected(own.terminator, to))
        return numbers[entry]


def _behind(blocks: Sequence[Block], target: int) -> int:
    """Where code really goes on that goes to a block."""
    passed: set[int] = set()
    while target >= 0 and target not in passed and not blocks[target].statements:
        passed.add(target)
        terminator = blocks[target].terminator
        if not isinstance(terminator, Jump):
            break
        target = terminator.target
    return target

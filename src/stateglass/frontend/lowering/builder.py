"""Puts a function together block by block while its source is walked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import Enum, unique
from itertools import chain
from typing import Any, final

from stateglass.program import (
    ANYTHING,
    VOID,
    AddressOf,
    Aggregate,
    Assign,
    Block,
    Branch,
    Call,
    Case,
    Constant,
    Copy,
    Declare,
    Dereference,
    End,
    Expression,
    Fail,
    Global,
    Int,
    Jump,
    Load,
    Local,
    OpenOrder,
    Place,
    Pointer,
    Release,
    Return,
    Statement,
    Switch,
    Terminator,
    Type,
    Unsupported,
    successors,
)
from stateglass.program.nodes import redirected
from stateglass.program.walk import Node, addressed_locals, base_of, everything_below
from stateglass.source import NOWHERE, Span


@final
class NotSupported(Exception):
    """Raised inside an expression; the statement around it becomes an `Unsupported` node."""

    def __init__(self, reason: str, span: Span) -> None:
        self.reason = reason
        self.span = span
        super().__init__(reason)


@final
@dataclass(frozen=True, slots=True)
class JumpTarget:
    """Where `break` or `continue` goes, and how many scopes are open there."""

    block: int
    depth: int


@final
@unique
class Ending(Enum):
    """When something is to be done at the end of a scope."""

    ALWAYS = "always"
    UNLESS_RETURNED = "unless the function returns"
    THROWN = "only if an exception leaves it"


@final
@dataclass(frozen=True, slots=True)
class Cleanup:
    """A function that is called with the address of a variable when its life ends; with a flag, if that is set."""

    function: str
    flag: Local | None = None
    arguments: tuple[Expression, ...] | None = None  # other ones than that address
    ending: Ending = Ending.ALWAYS
    may_throw: bool = False

    @property
    def is_guard(self) -> bool:
        """Whether it is about a part of something that is not complete yet."""
        return self.ending is Ending.THROWN


@final
@dataclass(frozen=True, slots=True)
class Mark:
    """A point in the code so far."""

    block: int
    index: int
    calls: int  # emitted before it


@final
class _Point:
    """A place that a jump leaves from or arrives at: the scopes open there, and what is declared in them so far."""

    def __init__(self, scopes: list[list[Local]]) -> None:
        self.scopes = list(scopes)
        self.locals = [list(s) for s in scopes]

    def shared_with(self, other: _Point) -> int:
        """How many scopes both are in."""
        pairs = zip(self.scopes, other.scopes, strict=False)
        return next((n for n, (a, b) in enumerate(pairs) if a is not b), min(len(self.scopes), len(other.scopes)))


@final
class FunctionBuilder:
    """Mutable state of lowering one function."""

    def __init__(self, name: str, int_type: Int, pointer_size: int = 8) -> None:
        self.name = name
        self.pointer_size = pointer_size
        self.int_type = int_type
        self.locals: list[Local] = []
        self.breaks: list[JumpTarget] = []
        self.continues: list[JumpTarget] = []
        self.scopes: list[list[Local]] = []
        self.dynamic: set[str] = set()  # locals that are arrays of variable length
        self.cleanups: dict[str, Cleanup] = {}  # by local: what is to be done when its life ends
        self.after_call: Callable[[Span], None] | None = None
        self.handlers: list[JumpTarget] = []  # where exceptions go, the innermost last
        self.never_throws = False
        self.result_type: Type = VOID
        self.this: Local | None = None  # the object that a member function is called for
        self.result: Local | None = None  # where an object is made that is returned
        self.returns_reference = False
        self.captures: dict[int | None, Any] = {}  # by declaration: what a lambda's body finds in its object
        self.owner: Any = None  # the class of a member function, as clang has it
        self.bound: dict[int, Place] = {}  # by declaration: places that have names (structured bindings)
        self.behind: set[str] = set()  # locals that hold the address of what their declaration declares
        self.conditional = 0  # how many decisions lie around the expression at hand
        self.end_of_body: JumpTarget | None = None  # where `return` goes if something is left to be done
        self.computed_lengths: dict[int, Local] = {}  # by what stands for the length
        self.frame_objects: list[Local] = []  # pointers to what lives until the function returns (`alloca`)
        self._flags: list[Local] = []
        self._names: dict[str, int] = {}
        self._by_declaration: dict[int, Local] = {}
        self._statements: list[list[Statement]] = []
        self._callees: list[str] = []  # of all calls so far
        self._open: list[tuple[Span, set[Global | Local | Dereference], frozenset[str], frozenset[str]]] = []
        self._terminators: list[Terminator | None] = []
        self._passed: dict[int, dict[str, Local]] = {}  # by scope: variables whose declarations are jumped over
        self._openings: dict[int, tuple[int, int]] = {}  # where each scope begins: block and statement
        self._labels: dict[str, tuple[int, _Point]] = {}
        self._gotos: list[tuple[int, str, _Point, Span]] = []
        self._computed: list[tuple[int, Expression, dict[str, int], _Point, Span]] = []
        self.current = self.new_block()

    # ---- blocks

    def new_block(self) -> int:
        self._statements.append([])
        self._terminators.append(None)
        return len(self._statements) - 1

    def emit(self, statement: Statement) -> None:
        """Add a statement; behind a call, control may not go on."""
        self.emit_quietly(statement)
        if isinstance(statement, Call) and self.after_call is not None and self._terminators[self.current] is None:
            self.after_call(statement.span)

    def emit_quietly(self, statement: Statement) -> None:
        if self._terminators[self.current] is None:
            self._statements[self.current].append(statement)
            if isinstance(statement, Call):
                self._callees.append(statement.callee if isinstance(statement.callee, str) else ANYTHING)

    def mark(self) -> Mark:
        return Mark(self.current, len(self._statements[self.current]), len(self._callees))

    def called_since(self, mark: Mark) -> bool:
        """Whether anything was called since a point in the code: it may have changed what an expression reads."""
        return len(self._callees) != mark.calls

    def leave_open(
        self, read: Node, since: Mark, until: Mark | None = None, own: tuple[Mark, Mark] | None = None
    ) -> None:
        """Notes that C does not say whether `read` is evaluated before or after what was called between two points.

        `own` are the points between which `read` itself was evaluated.
        """
        callees = frozenset(self._callees[since.calls : until.calls if until is not None else None])
        if callees:
            bases = {base_of(n.place) for n in everything_below(read) if isinstance(n, Load | Aggregate)}
            beside = frozenset() if own is None else frozenset(self._callees[own[0].calls : own[1].calls])
            self._open.append((read.span, bases, callees, beside))

    def open_orders(self) -> tuple[OpenOrder, ...]:
        """The notes on open orders that may matter; to be asked for when the function is complete."""
        if not self._open:
            return ()
        addressed = addressed_locals(self._nodes())
        found: dict[OpenOrder, None] = {}
        for span, bases, callees, beside in self._open:
            reads: set[str] = set()
            for base in bases:
                if isinstance(base, Global):
                    reads.add(base.name)
                elif isinstance(base, Dereference) or base.name in addressed:
                    reads.add(ANYTHING)
            if reads or beside:
                found[OpenOrder(frozenset(reads), callees, beside, span)] = None
        return tuple(found)

    def _nodes(self) -> Iterator[Statement | Terminator]:
        yield from chain.from_iterable(self._statements)
        yield from (t for t in self._terminators if t is not None)

    def kept(self, value: Expression, span: Span) -> Expression:
        """What an expression is worth now, whatever happens from here on: it is stored in a temporary."""
        kept = self.temporary(value.type, span)
        self.assign(kept, value, span)
        return Load(kept, value.type, span)

    def keep_at(self, mark: Mark, value: Expression) -> Expression:
        """The value that an expression had at an earlier point: it is stored in a temporary there."""
        kept = self.temporary(value.type, value.span)
        self._statements[mark.block].insert(mark.index, Assign(kept, value, value.span))
        return Load(kept, value.type, value.span)

    def finish(self, terminator: Terminator) -> None:
        """Ends the current block; one that has ended already stays as it is (code after a `return`)."""
        if self._terminators[self.current] is None:
            self._terminators[self.current] = terminator

    def start(self, block: int, span: Span = NOWHERE) -> None:
        """Go on in `block`, falling through from the current one."""
        self.finish(Jump(block, span))
        self.current = block

    def assign(self, place: Place, value: Expression, span: Span) -> None:
        self.emit(Assign(place, value, span))

    @contextmanager
    def in_decision(self) -> Iterator[None]:
        """What is made meanwhile may not be there afterwards."""
        self.conditional += 1
        yield
        self.conditional -= 1

    def flag(self, span: Span) -> Local:
        """A variable that is 0 when the function begins."""
        local = self.temporary(self.int_type, span)
        self._flags.append(local)
        return local

    def branch(self, condition: Expression, then: int, other: int, span: Span) -> None:
        if isinstance(condition, Constant):
            self.finish(Jump(then if condition.value else other, span))
        else:
            self.finish(Branch(condition, then, other, span))

    def drop_useless_declaration(self, local: Local) -> None:
        """A declaration whose variable gets its value in the very next statement says nothing."""
        match self._statements[self.current]:
            case [*_, Declare(declared), Assign(Local(name), value)] as statements if (
                declared.name == name == local.name
            ):
                if not any(isinstance(n, Local) and n.name == name for n in everything_below(value)):
                    del statements[-2]

    def has_effects(self) -> bool:
        return any(self._statements) or len(self._statements) > 1

    @property
    def block_count(self) -> int:
        return len(self._statements)

    def give_up(self, first: int, reason: str, span: Span) -> None:
        """Makes code unsupported of which the blocks from `first` on were made: none of them may end quietly."""
        self.emit(Unsupported(reason, span))
        for block in range(first, len(self._statements)):
            if block != self.current and self._terminators[block] is None:
                self._statements[block].append(Unsupported(reason, span))
                self._terminators[block] = Return(None, span)

    # ---- variables

    def add_local(self, name: str, type: Type, span: Span, declaration: int | None = None) -> Local:
        """A new local; shadowed names are told apart as `x~2`."""
        count = self._names.get(name, 0) + 1
        self._names[name] = count
        local = Local(name if count == 1 else f"{name}~{count}", type, span)
        if declaration is not None:
            self._by_declaration[declaration] = local
        self.locals.append(local)
        return local

    def rename(self, local: Local, name: str) -> None:
        """Gives what was declared another name from now on."""
        for key, known in self._by_declaration.items():
            if known == local:
                self._by_declaration[key] = replace(local, name=name)

    def temporary(self, type: Type, span: Span) -> Local:
        count = self._names.get("%", 0) + 1
        self._names["%"] = count
        local = Local(f"%{count}", type, span)
        self.locals.append(local)
        return local

    def local(self, declaration: int) -> Local | None:
        return self._by_declaration.get(declaration)

    # ---- scopes

    def open_scope(self) -> None:
        scope: list[Local] = []
        self.scopes.append(scope)
        self._openings[id(scope)] = (self.current, len(self._statements[self.current]))

    def close_scope(self) -> None:
        self._leave(len(self.scopes) - 1, NOWHERE)
        self.scopes.pop()

    def _leave(self, depth: int, span: Span, skipped: tuple[Ending, ...] = (Ending.THROWN,), ends: bool = True) -> None:
        """Does what is to be done when all scopes but the outermost so many are left; what throws leaves the others."""
        scopes = self.scopes
        for number in reversed(range(depth, len(scopes))):
            for position in reversed(range(len(scopes[number]))):
                local = scopes[number][position]
                for statement in self._end(local, span, skipped):
                    if isinstance(statement, Call) and self.cleanups[local.name].may_throw:
                        self.scopes = [*scopes[:number], scopes[number][:position]]
                        self.emit(statement)
                        self.scopes = scopes
                    elif ends or not isinstance(statement, End):
                        self.emit_quietly(statement)

    def may_throw_at_end(self, depth: int) -> bool:
        """Whether leaving all scopes but the outermost so many may throw."""
        names = (local.name for scope in self.scopes[depth:] for local in scope)
        return any(name in self.cleanups and self.cleanups[name].may_throw for name in names)

    def ends_of_scopes(self, depth: int, span: Span, skipped: tuple[Ending, ...] = (Ending.THROWN,)) -> list[Statement]:
        """What is to be done when all scopes but the outermost so many are left."""
        scopes = reversed(self.scopes[depth:])
        return [s for scope in scopes for x in reversed(scope) for s in self._end(x, span, skipped)]

    def leave_to(self, target: JumpTarget, span: Span) -> None:
        self._leave(target.depth, span)
        self.finish(Jump(target.block, span))

    def _end(self, local: Local, span: Span, skipped: tuple[Ending, ...] = (Ending.THROWN,)) -> list[Statement]:
        """The end of a variable's life, after what is to be done before it."""
        cleanup = self.cleanups.get(local.name)
        if cleanup is None or cleanup.ending in skipped:
            return [End(local, span)]
        arguments = cleanup.arguments
        if arguments is None:
            arguments = (AddressOf(local, Pointer(local.type, self.pointer_size), local.span),)
        if cleanup.flag is None:
            return [Call(None, cleanup.function, arguments, local.span), End(local, span)]
        flag = Load(cleanup.flag, self.int_type, local.span)
        again = Assign(cleanup.flag, Constant(0, self.int_type, local.span), local.span)
        return [Call(None, cleanup.function, (flag, *arguments), local.span), again, End(local, span)]

    def clean_up(self, value: Expression | Aggregate | None) -> Expression | Aggregate | None:
        """Does what variables ask for at the end of their lives, before a return whose value was computed."""
        skipped = (Ending.THROWN, Ending.UNLESS_RETURNED)
        names = (x.name for scope in self.scopes for x in scope)
        if all(name not in self.cleanups or self.cleanups[name].ending in skipped for name in names):
            return value
        if value is not None:
            kept = self.temporary(value.type, value.span)
            if isinstance(value, Aggregate):
                self.emit(Copy(kept, value.place, value.span))
                value = replace(value, place=kept)
            else:
                self.emit(Assign(kept, value, value.span))
                value = Load(kept, value.type, value.span)
        self._leave(0, NOWHERE, skipped, ends=False)
        return value

    # ---- labels

    def label(self, name: str, span: Span) -> None:
        block = self.new_block()
        self._labels[name] = (block, _Point(self.scopes))
        self.start(block, span)

    def goto(self, name: str, span: Span) -> None:
        if self._terminators[self.current] is None:
            self._gotos.append((self.current, name, _Point(self.scopes), span))
            # Which lives end is known only when the label was seen.
            self._terminators[self.current] = Fail("goto", span)

    def computed_goto(self, value: Expression, span: Span, labels: dict[str, int]) -> None:
        """Go to the label that has the number `value`; `labels` may still grow."""
        if self._terminators[self.current] is None:
            self._computed.append((self.current, value, labels, _Point(self.scopes), span))
            self._terminators[self.current] = Fail("goto", span)

    def _resolve_computed_gotos(self) -> None:
        lost = -1
        for block, value, labels, here, span in self._computed:
            if lost < 0:
                lost = self.new_block()
                self._statements[lost].append(Unsupported("computed goto to something that is no label here", span))
                self._terminators[lost] = Return(None, span)
            cases = []
            for name, number in labels.items():
                if name in self._labels:
                    target, there = self._labels[name]
                    way = self.new_block()
                    self._statements[way] += self._crossing(here, there, span)
                    self._terminators[way] = Jump(target, span)
                    cases.append(Case(number, number, way))
            self._terminators[block] = Switch(value, tuple(cases), lost, span)

    def _resolve_gotos(self) -> None:
        for block, name, here, span in self._gotos:
            if name not in self._labels:
                self._statements[block].append(Unsupported(f"goto into code that is not supported ({name})", span))
                self._terminators[block] = Return(None, span)
                continue
            target, there = self._labels[name]
            self._statements[block] += self._crossing(here, there, span)
            self._terminators[block] = Jump(target, span)

    def _crossing(self, here: _Point, there: _Point, span: Span) -> list[Statement]:
        """The lives that a jump ends and begins.

        A variable lives as long as control is in its block, wherever in the block it is declared; only an array of
        variable length begins to live at its declaration.
        """
        both = here.shared_with(there)
        staying = {local.name for scope in there.locals for local in scope}
        statements: list[Statement] = []
        for depth in reversed(range(len(here.scopes))):
            for local in reversed(here.locals[depth]):
                if depth >= both or (local.name in self.dynamic | set(self.cleanups) and local.name not in staying):
                    statements += self._end(local, span)
        statements += [Declare(x, span) for scope in there.locals[both:] for x in scope if x.name not in self.dynamic]
        for depth in range(1, both):
            passed = [x for x in there.locals[depth] if x not in here.locals[depth] and x.name not in self.dynamic]
            known = self._passed.setdefault(id(there.scopes[depth]), {})
            known.update((x.name, x) for x in passed)
        return statements

    def _declare_passed(self) -> None:
        """Begins the lives of variables whose declarations are jumped over with the block that they are in."""
        for scope, (block, index) in sorted(self._openings.items(), key=lambda o: o[1], reverse=True):
            self._statements[block][index:index] = [Declare(x) for x in self._passed.get(scope, {}).values()]

    # ---- result

    def _skip_empty(self, block: int, terminators: list[Terminator]) -> int:
        """The block where control really arrives: blocks that only jump are passed over."""
        seen = set()
        while block not in seen and not self._statements[block]:
            seen.add(block)
            terminator = terminators[block]
            if not isinstance(terminator, Jump):
                break
            block = terminator.target
        return block

    def blocks(self) -> tuple[Block, ...]:
        """The reachable blocks, numbered in the order control first meets them."""
        self._resolve_gotos()
        self._resolve_computed_gotos()
        self._declare_passed()
        self._statements[0][:0] = [Assign(f, Constant(0, self.int_type), f.span) for f in self._flags]
        self._release_frame_objects()
        self._drop_needless_ends()
        terminators = [t if t is not None else Return(None) for t in self._terminators]
        terminators = [redirected(t, lambda b: self._skip_empty(b, terminators)) for t in terminators]
        numbers: dict[int, int] = {}
        todo = [0]
        while todo:
            block = todo.pop()
            if block in numbers:
                continue
            numbers[block] = len(numbers)
            todo.extend(reversed(successors(terminators[block])))
        return tuple(
            Block(tuple(self._statements[b]), redirected(terminators[b], numbers.__getitem__)) for b in numbers
        )

    def _release_frame_objects(self) -> None:
        """Gives back before each return, after its value was computed, what `alloca` took for the time of the call."""
        if not self.frame_objects:
            return
        for block, terminator in enumerate(self._terminators):
            if isinstance(terminator, Return):
                statements = self._statements[block]
                match terminator.value:
                    case None:
                        pass
                    case Aggregate(place, type, span):
                        kept = self.temporary(type, span)
                        statements.append(Copy(kept, place, span))
                        self._terminators[block] = replace(terminator, value=Aggregate(kept, type, span))
                    case value:
                        kept = self.temporary(value.type, value.span)
                        statements.append(Assign(kept, value, value.span))
                        self._terminators[block] = replace(terminator, value=Load(kept, value.type, value.span))
                span = terminator.span
                statements += [Release(Load(p, _pointer(p), span), span) for p in self.frame_objects]
        self._statements[0][:0] = [Assign(p, Constant(0, _pointer(p), p.span), p.span) for p in self.frame_objects]
        if self.dynamic:
            # gcc frees such memory together with an array that was declared before it.
            reason = "`alloca` in a function with arrays of variable length"
            self._statements[0].insert(0, Unsupported(reason, self.frame_objects[0].span))

    def _drop_needless_ends(self) -> None:
        """Drops the ends of variables that nothing can point to: nobody could tell that their lives are over."""
        addressed = addressed_locals(self._nodes())
        for block in self._statements:
            block[:] = [s for s in block if not isinstance(s, End) or s.local.name in addressed]


def _pointer(local: Local) -> Pointer:
    assert isinstance(local.type, Pointer)
    return local.type

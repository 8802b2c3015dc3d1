"""What functions without a body do, as far as bounds say it, and what is taken for granted of the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, final

from stateglass.program import Call, Declaration, FunctionType, Pointer, Program, Record, Void, size_of, value_cells
from stateglass.program.callgraph import Reachable, mentioned, statements_of
from stateglass.program.names import THIS
from stateglass.program.outside import written_through
from stateglass.source import Diagnostic, Topic
from stateglass.system.choosing import Choosing
from stateglass.system.examples import example_for, list_example
from stateglass.system.inputs import InputKind, Need, leaves_object
from stateglass.system.namespace import GLOBAL
from stateglass.system.objects import too_many
from stateglass.system.surroundings import Surroundings
from stateglass.system.system import Choice, Contents, External, Handed, Lost, Reach, Write

MOST_REACHED: Final = 256
"""Of so many numbers behind a pointer each may get any value; of what follows them nothing is known."""
FURTHER: Final = "its further arguments"


@final
class Externals:
    """The functions without a body of one system; notes what is wrong with their bounds."""

    def __init__(
        self,
        program: Program,
        used: Reachable,
        needs: Sequence[Need],
        choosing: Choosing,
        surroundings: Surroundings,
        *,
        abstract: bool,
    ) -> None:
        self.problems: list[Diagnostic] = []
        self.is_tame = False  # what one could write is taken to stay, though any value could be written
        self._program = program
        self._used = used
        self._needs = needs
        self._choosing = choosing
        self._surroundings = surroundings
        self._abstract = abstract
        self._pointed_to = mentioned(program)[0]

    def of(self, declaration: Declaration) -> External:
        """What a function may return, write and throw."""
        throws = self._surroundings.throws.get(declaration.name, ())
        if declaration.name in self._surroundings.stores:
            shown = self._surroundings.stores[declaration.name]
            if shown.removeprefix(GLOBAL) not in self._surroundings.told:
                self._choosing.assume(Topic.OBJECT, shown, "it belongs to a stub: what is stored to it is forgotten")
            return External(declaration.name, declaration.result, None)
        if declaration.name in self._surroundings.answered:
            return External(declaration.name, declaration.result, None, throws=throws)
        own = [n for n in self._needs if n.owner == declaration.name]
        chosen = {n: self._choosing.choice(n) for n in own}
        result = next((c for n, c in chosen.items() if n.kind is InputKind.RESULT), None)
        assert not isinstance(result, Contents)
        writes = tuple(
            Write(n.position, n.part, c)
            for n, c in chosen.items()
            if n.kind is InputKind.WRITTEN and isinstance(c, Choice | Contents)
        )
        writes += tuple(
            Write(n.position, start, choice)
            for n in own
            if n.kind is InputKind.WRITTEN
            for start, choice in self._choosing.elements(n)
        )
        writes = self._with_reach(declaration, writes)
        exact = frozenset(n.position for n, c in chosen.items() if n.several and isinstance(c, Contents))
        returned = f"`{declaration.name}` could return in %s ways"
        self.problems += too_many(returned, (result, *(w.choice for w in writes)), declaration.span)
        unsupported = ""
        if declaration.name in self._used.results_used and isinstance(declaration.result, Pointer | Record):
            unsupported = "" if result is not None else self._unknown_result(declaration, own)
        lost = {one.argument for one in self._lost(declaration)}
        unseen = self._unseen(declaration, {w.argument for w in writes} | lost)
        is_kept = FURTHER in unseen or any(
            n.kind is InputKind.WRITTEN and isinstance(n.type, Void) and chosen[n] is None for n in own
        )
        self.is_tame = self.is_tame or (is_kept and not self._choosing.is_open)
        self._assume(declaration, result, writes, unseen, unsupported)
        advice = {
            n.position: f"{n.name}={list_example(n, self._program)}"
            for n in own
            if n.kind is InputKind.WRITTEN and n.several and n.position not in exact
        }
        for type, _ in throws:
            text = f"it has no body: it may throw `{type}` as made of nothing"
            self._choosing.assume(Topic.FUNCTION, declaration.name, text)
        return External(
            declaration.name,
            declaration.result,
            result,
            writes,
            exact,
            advice,
            unsupported,
            declaration.noreturn,
            throws,
            self._lost(declaration),
            Reach(0, MOST_REACHED) if self._choosing.is_open and FURTHER in unseen else None,
        )

    def _assume(
        self,
        declaration: Declaration,
        result: Choice | Handed | None,
        writes: tuple[Write, ...],
        unseen: Sequence[str],
        unsupported: str,
    ) -> None:
        """Notes what is taken for granted of a function, beside what bounds say."""
        lost = self._lost(declaration)
        if declaration.noreturn:
            self._choosing.assume(Topic.FUNCTION, declaration.name, "it has no body: a call of it ends the program")
        elif unsupported:
            anything = "it returns any value" if isinstance(declaration.result, Record) else "it returns any address"
            known = anything if self._abstract else "what follows a call of it is not known"
            self._choosing.assume(Topic.FUNCTION, declaration.name, f"it has no body: {known}")
        elif result is None and not writes and not unseen and not lost:
            ignored = "" if isinstance(declaration.result, Void) else "; what it returns is not used"
            otherwise = " otherwise" if declaration.name in self._surroundings.callbacks else ""
            text = f"it has no body: it returns and changes nothing{otherwise}{ignored}"
            self._choosing.assume(Topic.FUNCTION, declaration.name, text)
        for name in unseen:
            if name == FURTHER and self._choosing.is_open:
                what = "it sets what further arguments point to, and what follows it in an array, to any value"
                self._choosing.assume(Topic.FUNCTION, declaration.name, f"it has no body: {what}")
                continue
            rest = "may be anything" if self._abstract else "is taken to stay"
            what = "it changes of its object" if name == f"`{THIS}`" else f"it writes through {name}"
            text = f"it has no body: what {what} is not known, and what was there {rest}"
            self._choosing.assume(Topic.FUNCTION, declaration.name, text)
        for name in self._kept_pointers(declaration, {w.argument for w in writes}) if self._choosing.is_open else ():
            text = f"it has no body: pointers in what {name} points to, and what they lead to, are taken to stay"
            self._choosing.assume(Topic.FUNCTION, declaration.name, text)
        for parameter in declaration.parameters:
            if isinstance(parameter.type, Pointer) and isinstance(parameter.type.target, FunctionType):
                self._choosing.assume(
                    Topic.FUNCTION, declaration.name, f"it has no body: it does not call `{parameter.name}`"
                )

    def _lost(self, declaration: Declaration) -> tuple[Lost, ...]:
        """The arrays that it may fill with more than is spoken of."""
        found = []
        for need in self._choosing.lost:
            if need.owner == declaration.name:
                pointer = declaration.parameters[need.position].type
                assert isinstance(pointer, Pointer)
                size, bits = (8 * size_of(t, self._program.records) for t in (pointer.target, need.type))
                found.append(Lost(need.position, need.part, bits, size))
        return tuple(found)

    def _with_reach(self, declaration: Declaration, writes: tuple[Write, ...]) -> tuple[Write, ...]:
        """What is written without a bound is so in each element of an array that a pointer leads into."""
        if not self._choosing.is_open:
            return writes
        by_argument = Counter(write.argument for write in writes)
        bounded = {w.argument for w in writes if not self._choosing.is_free(w.choice)}
        found = []
        for write in writes:
            pointer = declaration.parameters[write.argument].type
            assert isinstance(pointer, Pointer)
            size = 0 if isinstance(pointer.target, Void) else 8 * size_of(pointer.target, self._program.records)
            reach = Reach(size, max(1, MOST_REACHED // by_argument[write.argument]))
            found.append(write if write.argument in bounded else replace(write, reach=reach))
        return tuple(found)

    def _unknown_result(self, declaration: Declaration, own: list[Need]) -> str:
        text = f"`{declaration.name}` has no body and returns {declaration.result}"
        need = next((n for n in own if n.kind is InputKind.RESULT), None)
        example = example_for(need, self._program) if need is not None else None
        if example:
            return f"{text}; to say what that is: --bound '{declaration.name}()={example}'"
        if not declaration.name.isidentifier():
            return text  # a part of an object, which is a stub
        return f"{text}; to say what that is, write `{declaration.name}` in a file and name that beside this one"

    def _unseen(self, declaration: Declaration, written: set[int]) -> list[str]:
        """What a function without a body could write through and does not, for want of a bound."""
        parameters, known = declaration.parameters, len(declaration.parameters)
        types = [p.type for p in parameters]
        written = written | ({0} if leaves_object(self._program, declaration) else set())
        unseen = [f"`{parameters[n].name}`" for n in written_through(declaration, types) if n not in written]
        further = any(
            max(written_through(declaration, [a.type for a in call.arguments]), default=-1) >= known
            for call in self._calls_of(declaration.name)
        )
        return [*unseen, FURTHER] if further else unseen

    def _kept_pointers(self, declaration: Declaration, written: set[int]) -> Iterator[str]:
        """The parameters that lead to records of which everything is written but the pointers in them."""
        for position in sorted(written):
            if position < len(declaration.parameters):
                parameter = declaration.parameters[position]
                target = parameter.type.target if isinstance(parameter.type, Pointer) else None
                if isinstance(target, Record) and any(
                    isinstance(cell.type, Pointer) for cell in value_cells(target, self._program.records)
                ):
                    yield f"`{parameter.name}`"

    def _calls_of(self, name: str) -> Iterator[Call]:
        """All calls of a function, and if its address is taken all through pointers, which may be of it."""
        pointed = name in self._pointed_to
        for caller in self._used.functions:
            for statement in statements_of(self._program.functions[caller].blocks):
                if isinstance(statement, Call) and (
                    statement.callee == name or (pointed and not isinstance(statement.callee, str))
                ):
                    yield statement

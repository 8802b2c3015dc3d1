"""What stands for the rest: stubs, which may return anything within their bounds, and processes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final, final

from stateglass.formats.scpp.interface import Values
from stateglass.formats.scpp.names import Names, Sort
from stateglass.formats.scpp.terms import Reasons
from stateglass.formats.scpp.text import Section, listed, truth
from stateglass.program import Bool, Int, Type, representation
from stateglass.program.outside import may_write_through
from stateglass.source import Code, Diagnostic
from stateglass.system import Choice, External, Handed, System
from stateglass.system.fsp import Action, Kind, Name, State, Truth, Value, Whole, everything, start
from stateglass.system.system import RunningProcess

GLOBAL_NAMESPACE: Final = "GlobalNamespace"
"""Who has the functions that belong to no part."""
MOST_STATES: Final = 10_000
_TAU: Final = "tau"


@final
class Parts:
    """Writes the parts of a system that are no code."""

    def __init__(
        self, system: System, externals: Sequence[str], names: Names, values: Values, reasons: Reasons
    ) -> None:
        self._system = system
        self._externals = externals
        self._names = names
        self._values = values
        self._reasons = reasons
        self.problems: list[Diagnostic] = []
        self.processes: list[str] = []  # those that run beside the subject, as `init` has them

    # ---- functions without a body

    def owner(self, function: str) -> str:
        """The part that a function without a body belongs to."""
        if function in self._system.stand_ins or any(function in p.functions for p in self._system.processes):
            return self._names.of(Sort.PROCESS, function.rpartition(".")[0])
        return self._names.of(Sort.PROCESS, GLOBAL_NAMESPACE)

    def lines(self) -> Section:
        """What is known of the functions without a body."""
        found: Section = []
        for name in self._externals:
            function = self._names.of(Sort.FUNCTION, name)
            external = self._system.externals.get(name)
            declaration = self._system.program.declarations[name]
            shown = [self._values.shown_as(p.type) for p in declaration.parameters]
            found.append(f"  owner({function}) = {self.owner(name)};")
            found.append(f"  shown_arguments({function}) = {listed(shown)};")
            writes = external.writes if external is not None else ()
            listed_writes = []
            for write in writes:
                if isinstance(write.choice, Choice) and write.position % 8 == 0:
                    size = representation(write.choice.type).bits // 8
                    listed_writes.append(f"writing({write.argument}, {write.position // 8}, {size})")
            found.append(f"  writings({function}) = {listed(listed_writes)};")
            exact = external.exact if external is not None else frozenset()
            handed = (
                str(number)
                for number, p in enumerate(declaration.parameters)
                if may_write_through(p.type) and number not in exact
            )
            found.append(f"  handed_to({function}) = {listed(handed)};")
            found.append(f"  gap({function}) = {self._gap(name, external)};")
            for type, thrower in external.throws if external is not None else ():
                thrown = self._names.of(Sort.EXCEPTION, type)
                found.append(f"  thrower({function}, {thrown}) = {self._names.of(Sort.BODY, thrower)};")
        return found

    def _gap(self, name: str, external: External | None) -> int:
        """The number of the reason why nothing is known of what a call of a function does; 0: that is known."""
        declaration = self._system.program.declarations[name]
        if external is None or external.unsupported:
            reason = external.unsupported if external is not None else f"`{name}` is called in an unforeseen way"
            return self._reasons.number(reason, declaration.span, known=True)
        unusual = any(not isinstance(w.choice, Choice) or w.position % 8 for w in external.writes)
        if unusual or declaration.variadic:
            return self._reasons.number(f"`{name}` may write through its parameters", declaration.span)
        if isinstance(external.result, Handed):
            return self._reasons.number(f"`{name}` returns a pointer", declaration.span)
        return 0

    def stubs(self) -> Section:
        """A process for each part that is a stub."""
        answered = {name for p in self._system.processes for name in p.functions}
        by_owner: dict[str, list[str]] = {}
        for name in self._externals:
            if name not in answered:
                by_owner.setdefault(self.owner(name), []).append(name)
        lines: Section = []
        for owner, functions in by_owner.items():
            stub = f"Stub_{owner}"
            summands = [text for name in functions for text in self._stub(name, stub, owner)]
            joined = "\n    + ".join(summands)
            lines += [f"  {stub} =", f"      {joined};"]
            self.processes.append(stub)
        return lines

    def _stub(self, name: str, stub: str, owner: str) -> Iterator[str]:
        external = self._system.externals.get(name)
        function = self._names.of(Sort.FUNCTION, name)
        answers = [] if external is None or external.noreturn else list(self._answers(external, function, stub, owner))
        after = "\n      + ".join(answers) or "delta"
        yield f"sum vs: List(V), ls: List(LRA) . call_func_b({owner}, {function}, vs, ls) . (\n        {after})"

    def _answers(self, external: External, function: str, stub: str, owner: str) -> Iterator[str]:
        result = external.result
        values = ["VoidType"]
        if isinstance(result, Choice):
            values = [self._values.value(v, result.type) for v in result.values]
        choices = [w.choice for w in external.writes if isinstance(w.choice, Choice)]
        written = [
            [f"lra({self._names.of(Sort.MEMBER, c.name)}, {self._values.value(v, c.type)})" for v in c.values]
            for c in choices
        ]
        bound, value = ("", values[0]) if len(values) == 1 else (f"(i < {len(values)}) -> ", f"{listed(values)} . i")
        for row in product(*written):
            chosen = f"sum i: Nat . {bound}" if bound else ""
            yield f"{chosen}return_func_b({owner}, {function}, {value}, {listed(row)}) . {stub}"
        for type, _ in external.throws:
            yield f"throw_func_b({owner}, {function}, {self._names.of(Sort.EXCEPTION, type)}) . {stub}"

    # ---- processes

    def running(self) -> Section:
        """A process for each part that is one, with its states by number."""
        lines: Section = []
        for running in self._system.processes:
            name = f"Process_{self._names.of(Sort.PROCESS, running.path)}"
            lines += [f"  {name}(state: Nat) =", *self._states(running, name)]
            self.processes.append(f"{name}(0)")
        return lines

    def _states(self, running: RunningProcess, name: str) -> Section:
        first = start(running.process)
        numbers: dict[State, int] = {first: 0}
        summands: list[str] = []
        todo = [first]
        while todo and len(numbers) <= MOST_STATES:
            state = todo.pop(0)
            number = numbers[state]
            if state.failed:
                summands.append(f"(state == {number}) -> error_b(k_process) . delta")
                continue
            for action, then in everything(state):
                text = self._action(running, action)
                if text is None:
                    continue
                if then.failed and action.kind is not Kind.CALL:
                    self._refuse(running, f"it is in error after `{action}`, and its subject goes on meanwhile")
                if then not in numbers:
                    numbers[then] = len(numbers)
                    todo.append(then)
                summands.append(f"(state == {number}) -> {text} . {name}({numbers[then]})")
        if todo:
            self._refuse(running, f"it has more than {MOST_STATES:,} states")
        joined = "\n    + ".join(summands or ["delta"])
        return [f"      {joined};"]

    def _action(self, running: RunningProcess, action: Action) -> str | None:
        """An action as the process does its half of it; None if nobody will ever do the other half."""
        if action.kind is Kind.EVENT:
            if action.name == _TAU:
                return _TAU
            return f"event_b({self._names.of(Sort.EVENT, f'{running.path}.{action}')})"
        full = next((n for n, short in running.functions.items() if short == action.name), None)
        if full is None or action.kind in (Kind.LOAD, Kind.STORE):
            self._refuse(running, f"`{action}` is about no function of the part")
            return None
        owner, function = self.owner(full), self._names.of(Sort.FUNCTION, full)
        declaration = self._system.program.declarations[full]
        if action.kind is Kind.THROW:
            (thrown,) = action.values
            known = dict(self._system.externals[full].throws) if full in self._system.externals else {}
            if str(thrown) not in known:
                self._refuse(running, f"`{action}`: no exception is a `{thrown}` here")
            return f"throw_func_b({owner}, {function}, {self._names.of(Sort.EXCEPTION, str(thrown))})"
        if action.kind is Kind.CALL:
            types = [p.type for p in declaration.parameters]
            given = [self._value(v, t) for v, t in zip(action.values, types, strict=True)]
            if any(g is None for g in given):
                return None
            return f"call_func_b({owner}, {function}, {listed(g for g in given if g is not None)}, [])"
        result = [self._value(v, declaration.result) for v in action.values] or ["VoidType"]
        if result[0] is None:
            self._refuse(running, f"`{action}`: that is no value of `{declaration.result}`")
        return f"return_func_b({owner}, {function}, {result[0]}, [])"

    def _value(self, value: Value, type: Type) -> str | None:
        """A value of a process as the program shows it; None if it has none like it."""
        match value, type:
            case Truth(holds), Bool():
                return f"Boolean({truth(holds)})"
            case Whole(number), Int() if type.low <= number <= type.high:
                return f"Number({number})"
            case Name(name), _:
                return self._values.named(name, type)
            case _:
                return None

    def _refuse(self, running: RunningProcess, reason: str) -> None:
        message = f"as an mCRL2 specification: the process of `{running.path}`: {reason}"
        problem = Diagnostic(Code.UNSUPPORTED, message)
        if problem not in self.problems:
            self.problems.append(problem)

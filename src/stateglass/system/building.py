"""From a program and what the user asked for to a system: entries, bounds, stand-ins, assumptions."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod
from typing import Final, final

from stateglass.model import Assumption
from stateglass.program import (
    AddressOf,
    Array,
    Bool,
    Constant,
    Declaration,
    Enum,
    Float,
    Function,
    Global,
    Initial,
    Int,
    Local,
    Pointer,
    Program,
    Record,
    Type,
    Variable,
    Void,
)
from stateglass.program.callgraph import Reachable, reachable
from stateglass.source import Code, Diagnostic, InputError, Span, input_error, suggestion
from stateglass.system.bounds import default_values, describe_missing, parse_bound, resolve
from stateglass.system.inputs import Kind, Need, is_program_start, not_written, possible_inputs
from stateglass.system.system import (
    Argument,
    Choice,
    Entry,
    External,
    Fixed,
    InputVariable,
    Mode,
    Pointed,
    System,
    UndefinedBehaviour,
    Write,
)

MOST_COMBINATIONS: Final = 1_000_000
"""How many combinations of values the environment may choose from at once."""


def build_system(
    program: Program,
    functions: tuple[str, ...],
    *,
    init: str | None = None,
    mode: Mode | None = None,
    bounds: tuple[tuple[str, str], ...] = (),
    undefined: UndefinedBehaviour = UndefinedBehaviour.ERROR,
    errors: tuple[str, ...] = (),
    name: str = "main",
) -> System:
    """The system that runs `functions`. All that is wrong or missing is one `InputError`.

    `name` is what the project file calls the system, for advice.
    """
    check_names(program, functions, init)
    mode = mode or (Mode.RUN if functions == ("main",) else Mode.STEP)
    return _Building(program, functions, init, mode, bounds, undefined, errors, name).build()


def check_names(program: Program, functions: tuple[str, ...], init: str | None) -> None:
    """Every function that is to be called must be there, once, with a body."""
    problems = []
    for name in (*functions, *([init] if init is not None else [])):
        if name in program.functions:
            if program.functions[name].span.in_library:
                message = f"`{name}` is a function of the C library: the environment calls functions of the program"
                problems.append(Diagnostic(Code.UNKNOWN_NAME, message))
            continue
        if name in program.declarations:
            message = f"the function `{name}` is declared but has no body"
            problems.append(Diagnostic(Code.UNKNOWN_NAME, message, program.declarations[name].span))
        else:
            hint = suggestion(name, program.own_functions)
            problems.append(Diagnostic(Code.UNKNOWN_NAME, f"there is no function `{name}`", help=hint))
    for name in functions:
        if functions.count(name) > 1 or name == init:
            problems.append(Diagnostic(Code.USAGE, f"the function `{name}` is named twice"))
            break
    if problems:
        raise InputError(problems)


@final
class _Building:
    def __init__(
        self,
        program: Program,
        functions: tuple[str, ...],
        init: str | None,
        mode: Mode,
        bounds: tuple[tuple[str, str], ...],
        undefined: UndefinedBehaviour,
        errors: tuple[str, ...],
        name: str,
    ) -> None:
        self.program = program
        self.functions = functions
        self.init = init
        self.mode = mode
        self.bounds = dict(bounds)
        self.undefined = undefined
        self.errors = errors
        self.name = name
        self.roots = (*functions, *([init] if init is not None else []))
        self.used: Reachable = reachable(program, self.roots)
        self.needs = possible_inputs(program, self.roots, self.used)
        self.problems: list[Diagnostic] = []
        self.choices: dict[tuple[Kind, str], Choice] = {}
        self.environment: dict[str, Variable] = {}
        self.assumptions: list[Assumption] = []

    def build(self) -> System:
        self._resolve()
        entries = tuple(self._entry(self.program.functions[name]) for name in self.functions)
        init = self._entry(self.program.functions[self.init]) if self.init is not None else None
        externals = {name: self._external(self.program.declarations[name]) for name in self.used.externals}
        self._assume_rest()
        if self.problems:
            raise InputError(self.problems)
        return System(
            program=self.program,
            mode=self.mode,
            entries=entries,
            init=init,
            externals=externals,
            volatile={n.name: self._choice(n) for n in self.needs if n.kind is Kind.VOLATILE},
            inputs=tuple(
                InputVariable(n.owner, n.part, self._choice(n))
                for n in self.needs
                if n.kind is Kind.GLOBAL and n.name in self.bounds
            ),
            environment=tuple(self.environment.values()),
            undefined=self.undefined,
            errors=frozenset(self.errors) if self.errors else None,
            bounds=tuple(sorted(self.bounds.items())),
            assumptions=tuple(self.assumptions),
        )

    # ---- bounds

    def _resolve(self) -> None:
        """Values for every input that has a bound or needs none; errors for the rest, all at once."""
        missing: list[tuple[str, Type]] = []
        for need in self.needs:
            text = self._bound_for(need)
            if text is not None:
                self._take(need, text)
            elif need.required:
                values = default_values(need.type, self.program.enums)
                if values is None:
                    missing.append((need.name, need.type))
                else:
                    self._add(need, values, "any of its values")
        known = {n.name for n in self.needs} | {self._stem(n) for n in self.needs if n.kind is Kind.VOLATILE}
        for name in self.bounds:
            if name not in known:
                message = f"there is no input `{name}` to give a bound for"
                self.problems.append(Diagnostic(Code.BOUND, message, help=self._about(name, known)))
        if missing:
            self.problems += describe_missing(missing, self.name)
        if self.problems:
            raise InputError(self.problems)

    def _about(self, name: str, known: Iterable[str]) -> str:
        stem = name.removesuffix("()")
        if name.endswith("()") and stem in self.program.functions:
            return f"`{stem}` has a body: what it returns is computed"
        function = name.split(".")[0]
        if "." in name and function in self.program.functions and function not in self.functions:
            entries = ", ".join(self.functions)
            return f"`{function}` is called by the program itself; only arguments of {entries} are inputs"
        return suggestion(name, known)

    @staticmethod
    def _stem(need: Need) -> str:
        return need.name.split(".")[0].split("[")[0]

    def _bound_for(self, need: Need) -> str | None:
        if need.name in self.bounds:
            return self.bounds[need.name]
        return self.bounds.get(self._stem(need)) if need.kind is Kind.VOLATILE else None

    def _take(self, need: Need, text: str) -> None:
        try:
            values = resolve(parse_bound(text), need.type, self.program.enums, need.name)
        except InputError as error:
            self.problems += error.diagnostics
            return
        self._add(need, values, f"any of {text}")

    def _add(self, need: Need, values: tuple[int, ...], text: str) -> None:
        assert isinstance(need.type, Bool | Int | Float | Enum)
        self.choices[need.kind, need.name] = Choice(need.name, need.type, values)
        match need.kind:
            case Kind.PARAMETER:
                self._assume("bound", need.name, f"each call gives it {text}")
            case Kind.POINTED:
                self._assume("bound", need.name, f"before each call what it points to is set to {text}")
            case Kind.VOLATILE:
                self._assume("volatile", need.name, f"each read gives {text}")
            case Kind.GLOBAL:
                self._assume("input", need.name, f"before each call it is set to {text}")
            case Kind.RESULT:
                self._assume("function", need.owner, f"it has no body: it returns {text}")
            case Kind.WRITTEN:
                parameter = need.name.removeprefix(need.owner + ".")
                self._assume("function", need.owner, f"it has no body: it sets what `{parameter}` points to, to {text}")

    def _choice(self, need: Need) -> Choice:
        return self.choices[need.kind, need.name]

    def _assume(self, kind: str, subject: str, text: str) -> None:
        assumption = Assumption(kind, subject, text)
        if assumption not in self.assumptions:
            self.assumptions.append(assumption)

    # ---- entries and the objects their pointers lead to

    def _entry(self, function: Function) -> Entry:
        if is_program_start(function):
            return Entry(function.name, self._command_line(function))
        seen: dict[str, int] = {}
        arguments = tuple(self._argument(function, p, seen) for p in function.parameters)
        choices = [a if isinstance(a, Choice) else a.content for a in arguments if isinstance(a, Choice | Pointed)]
        called = f"`{function.name}` would be called with %s combinations of arguments"
        self._limit(called, [c for c in choices if c is not None], function.span)
        return Entry(function.name, arguments)

    def _limit(self, message: str, choices: list[Choice], span: Span) -> None:
        combinations = prod(len(c.values) for c in choices)
        if combinations > MOST_COMBINATIONS:
            limit = f"the limit is {MOST_COMBINATIONS:,}: give smaller bounds"
            self.problems.append(Diagnostic(Code.BOUND, message % f"{combinations:,}", span, help=limit))

    def _argument(self, function: Function, parameter: Local, seen: dict[str, int]) -> Argument:
        name = f"{function.name}.{parameter.name}"
        type = parameter.type
        if not isinstance(type, Pointer):
            return self.choices[Kind.PARAMETER, name]
        if isinstance(type.target, Record):
            # One object for each record type: what `init(&context)` sets up, `step(&context)` finds.
            number = seen[type.target.name] = seen.get(type.target.name, 0) + 1
            object_name = type.target.name if number == 1 else f"{type.target.name}#{number}"
            text = f"`{parameter.name}` points to one `{type.target}` that starts at zero and keeps its value"
        else:
            object_name = name
            chosen = (Kind.POINTED, name) in self.choices
            text = f"`{parameter.name}` points to one `{type.target}` that " + (
                "is set before each call" if chosen else "starts at zero and keeps its value"
            )
        if object_name in self.program.variables:
            object_name += "#"
        self.environment.setdefault(object_name, Variable(object_name, type.target))
        self._assume("object", function.name, text)
        return Pointed(object_name, self.choices.get((Kind.POINTED, name)))

    def _command_line(self, function: Function) -> tuple[Argument, ...]:
        """`main` runs as if called by its name alone."""
        self._assume("input", "main", "it runs without command-line arguments (argc is 1)")
        text = "main"
        count, argv = function.parameters[0].type, function.parameters[1].type
        if not (isinstance(count, Int) and isinstance(argv, Pointer) and isinstance(argv.target, Pointer)):
            raise input_error(Code.USAGE, "this `main` has parameters of a kind that is not known", function.span)
        letter = argv.target.target
        if not isinstance(letter, Int):
            raise input_error(Code.USAGE, "this `main` has parameters of a kind that is not known", function.span)
        word = Array(letter, len(text) + 1)
        initial = tuple(Initial(8 * i, letter, Constant(ord(c), letter)) for i, c in enumerate(text))
        self.environment["argv[0]"] = Variable("argv[0]", word, initial)
        start = Initial(0, argv.target, AddressOf(Global("argv[0]", word), argv.target))
        self.environment["argv"] = Variable("argv", Array(argv.target, 2), (start,))
        self.environment["envp"] = Variable("envp", Array(argv.target, 1))
        rest = [Pointed("envp", None) for _ in function.parameters[2:]]
        return (Fixed(1, count), Pointed("argv", None), *rest)

    # ---- functions without a body

    def _external(self, declaration: Declaration) -> External:
        own = [n for n in self.needs if n.owner == declaration.name]
        result = next((self._choice(n) for n in own if n.kind is Kind.RESULT), None)
        writes = tuple(Write(n.position, n.part, self._choice(n)) for n in own if n.kind is Kind.WRITTEN)
        returned = f"`{declaration.name}` could return in %s ways"
        self._limit(returned, [*([result] if result else []), *(w.choice for w in writes)], declaration.span)
        unsupported = ""
        if declaration.name in self.used.results_used and isinstance(declaration.result, Pointer | Record):
            unsupported = f"`{declaration.name}` has no body and returns {declaration.result}"
        unseen = not_written(declaration, self.program)
        if unsupported:
            self._assume("function", declaration.name, "it has no body: what follows a call of it is not known")
        elif result is None and not writes and not unseen:
            ignored = "" if isinstance(declaration.result, Void) else "; what it returns is not used"
            self._assume("function", declaration.name, f"it has no body: it returns and changes nothing{ignored}")
        for name in unseen:
            text = f"it has no body: what it writes through `{name}` is not known, and what was there is taken to stay"
            self._assume("function", declaration.name, text)
        if declaration.variadic:
            self._assume(
                "function", declaration.name, "it has no body: it writes nothing through its further arguments"
            )
        return External(declaration.name, declaration.result, result, writes, unsupported)

    # ---- the rest of the ledger

    def _assume_rest(self) -> None:
        for name in sorted(self.used.variables):
            variable = self.program.variables.get(name)
            if variable is not None and not variable.defined and not variable.volatile:
                self._assume("variable", name, "it is declared but defined nowhere: it starts at zero")
        if len(self.functions) > 1:
            self._assume("schedule", ", ".join(self.functions), "one call ends before the next begins")
        if self.errors:
            wanted = ", ".join(self.errors)
            text = f"only {wanted}: other overflow and shifts wrap, runs into other errors are left out"
            self._assume("undefined", "errors", text)
        match self.undefined:
            case UndefinedBehaviour.WRAP:
                self._assume("undefined", "arithmetic", "signed overflow and oversized shifts wrap around")
            case UndefinedBehaviour.IGNORE:
                self._assume("undefined", "program", "runs into undefined behaviour are left out")
            case UndefinedBehaviour.ERROR:
                pass

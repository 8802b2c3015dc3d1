"""The global namespace as one more object: its functions and variables may be no code, like the parts of an object.

`::` stands for all of it, `::read_sensor` and `::motor.level` for a function or a variable of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, final

from stateglass.program import Block, Declaration, Function, Global, Program, Return, Unsupported, Variable
from stateglass.program.callgraph import reachable
from stateglass.program.names import RESULT, THIS, is_literal, is_made_up, without_file
from stateglass.program.walk import everything_below
from stateglass.source import Assumption, Code, Diagnostic, Topic, suggestion
from stateglass.system.accesses import HeldBy, held_in
from stateglass.system.parts import Choice, Kind

GLOBAL: Final = "::"


@final
@dataclass(frozen=True, slots=True)
class Outside:
    """The program without the code of what is no code in its namespace, and what stands for that."""

    program: Program
    functions: Mapping[str, tuple[str, Choice]] = field(default_factory=dict)  # who stands for a function, and as what
    variables: Mapping[str, tuple[str, Choice]] = field(default_factory=dict)
    replaced: frozenset[str] = frozenset()  # functions whose bodies were taken away

    def assumptions(self) -> Iterator[Assumption]:
        """That something stands for code, by what the user calls it."""
        standing: dict[tuple[str, Choice], list[str]] = {}
        for name, by in (*self.functions.items(), *self.variables.items()):
            standing.setdefault(by, []).append(f"`{name}`")
        for (path, choice), names in standing.items():
            text = f"a {choice.kind.value} stands for {', '.join(names)}"
            yield Assumption(Topic.OBJECT, path, text)

    def held(self) -> Iterator[HeldBy]:
        """The numbers of variables that are no code, and what stands for them."""
        for name, (path, choice) in self.variables.items():
            place = Global(name, self.program.variables[name].type)
            yield from ((held, path, choice) for held in held_in(self.program, place, name))


def is_global(path: str) -> bool:
    return path.startswith(GLOBAL)


def short_name(path: str) -> str:
    """What a function or variable is called in the program."""
    return path.removeprefix(GLOBAL).replace("::", ".")


def without_globals(
    program: Program, said: Mapping[str, Choice], roots: Sequence[str], problems: list[Diagnostic]
) -> Outside:
    """Takes the bodies of free functions away, and notes the variables, that the user wants to be no code.

    Only what can be reached from `roots` matters, and these are the subject themselves.
    """
    used = reachable(program, roots)
    called = [name for name in (*used.functions, *used.externals) if name not in roots]
    free = [name for name in called if _is_free(program, name)]
    known = [name for name in sorted(used.variables) if _is_own(program.variables.get(name))]
    functions = dict(_chosen(said, free))
    variables = dict(_chosen(said, known))
    for path in said:
        short = short_name(path)
        if short and short not in map(without_file, (*free, *known)):
            help = suggestion(path, [GLOBAL + without_file(n) for n in (*free, *known)])
            message = f"`members`: nothing that is called or used is `{path}`"
            problems.append(Diagnostic(Code.UNKNOWN_NAME, message, help=help or "there are no free functions"))
    problems += _pointed_to(program, used.variables, variables)
    bodies, declarations = dict(program.functions), dict(program.declarations)
    for name in functions:
        body = bodies.get(name)
        if body is not None and any(p.name == RESULT for p in body.parameters):
            reason = f"`{name}` returns an object, which a stub or a process cannot make"
            bodies[name] = replace(body, blocks=(Block((Unsupported(reason, body.span),), Return(None, body.span)),))
        elif body is not None:
            declarations[name] = _declared(bodies.pop(name))
    # What stands for a variable knows its value: there is none in memory.
    marked = {n: replace(program.variables[n], volatile=True, initial=()) for n in variables}
    marked = {**program.variables, **marked}
    made = replace(program, functions=bodies, declarations=declarations, variables=marked)
    return Outside(made, functions, variables, frozenset(program.functions.keys() - bodies.keys()))


def _pointed_to(program: Program, used: Collection[str], outside: Collection[str]) -> Iterator[Diagnostic]:
    """What a variable points to from the start can be used without anybody being asked."""
    for name in sorted(used):
        variable = program.variables.get(name)
        for initial in variable.initial if variable is not None else ():
            for node in everything_below(initial.value):
                if isinstance(node, Global) and node.name in outside:
                    message = f"`{node.name}` cannot be a stub or a process: `{name}` points to it"
                    help = f'let it be code: `"{GLOBAL}{node.name}" = "code"`'
                    yield Diagnostic(Code.UNSUPPORTED, message, program.variables[node.name].span, help=help)


def _chosen(said: Mapping[str, Choice], names: Collection[str]) -> Iterator[tuple[str, tuple[str, Choice]]]:
    """What is said of a name goes before what is said of all."""
    own = {short_name(path): path for path in said}
    for name in names:
        path = own.get(without_file(name), GLOBAL)
        choice = said.get(path)
        if choice is not None and choice.kind is not Kind.CODE:
            yield name, (path, choice)


def _is_free(program: Program, name: str) -> bool:
    """Whether it is a function of the user's that is called for no object."""
    method = program.method(name)
    known = program.functions.get(name) or program.declarations.get(name)
    if known is None or is_made_up(name) or known.span.in_library or name in program.constructors:
        return False
    if method is not None:
        return method.static
    return not any(p.name == THIS for p in known.parameters)  # as that of a lambda has


def _is_own(variable: Variable | None) -> bool:
    """Whether it is a variable of the user's that may change."""
    if variable is None or variable.readonly or variable.literal or variable.volatile:
        return False
    return not (is_made_up(variable.name) or is_literal(variable.name) or variable.span.in_library)


def _declared(function: Function) -> Declaration:
    return Declaration(function.name, function.result, function.parameters, function.variadic, span=function.span)

"""What has to be made for an object to be called: found out before the program is read with the text that makes it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final, final

from stateglass.program import Program
from stateglass.program.callgraph import reachable
from stateglass.program.classes import Method, Role
from stateglass.program.made import Made, made_name
from stateglass.program.shapes import Callable as Called
from stateglass.program.shapes import Instance, Manner, Number, Owner, Passed, Sequence, Text
from stateglass.source import Code, Diagnostic, InputError, input_error
from stateglass.system.bounds import default_values
from stateglass.system.making.choices import Choices, read_categories
from stateglass.system.making.kinds import is_address, is_thing, needs_text
from stateglass.system.making.naming import kept_in, meant_by, short_names
from stateglass.system.making.plan import Plan
from stateglass.system.making.things import Things
from stateglass.system.making.values import MissingBound, NotMade, Values, example_of
from stateglass.system.making.writing import (
    DECLARED,
    ROOM,
    SELF,
    Maker,
    Writing,
    chosen,
    declared,
    is_lent,
    parameter_names,
)
from stateglass.system.making.written import in_code
from stateglass.system.namespace import is_global
from stateglass.system.parts import functions_of, parts_of, read_members
from stateglass.system.stand_ins import MadeResult, with_stand_ins
from stateglass.system.subjects import Asked, Subject

_WITH_ROOM: Final = 2
"""A function with so many hidden parameters returns an object that somebody has to destroy."""
_LENT: Final = "made_lent_"
_CHAINS: Final = ("deque", "list", "set", "unordered_set", "map", "unordered_map")


def plan_for(program: Program, subject: Subject, bounds: Iterable[tuple[str, str]], asked: Asked) -> Plan:
    """The plan for a class; there is nothing to make for functions."""
    if subject.owner is None:
        if asked.categories:
            raise input_error(Code.USAGE, "`categories` are for objects of C++, and no class is looked at")
        return Plan()
    return _Planning(program, subject, dict(bounds), asked).plan()


@final
class _Planning:
    def __init__(self, program: Program, subject: Subject, bounds: dict[str, str], asked: Asked) -> None:
        assert subject.owner is not None
        self._program = program
        self._subject = subject
        self._owner = subject.owner
        names = tuple(asked.process_texts)
        choices = Choices(read_members(asked.members, names), read_categories(asked.categories, names))
        self._choices = choices
        taken = frozenset({*program.functions, *program.variables, *program.declarations})
        self._writing = Writing()
        self._things = Things(program, choices, self._writing, taken)
        self._methods = [m for f in self._functions() if (m := self._method(f)) is not None]
        self._given: dict[str, str] = {}  # by whole name: the one that was given
        self._ambiguous: list[Diagnostic] = []
        self._bounds = self._whole_names(bounds)
        self._values = Values(program, self._bounds, self._things.of)
        self._things.values = self._things.stubs.values = self._values
        self._said: dict[str, str] = {}
        self._forgets: dict[str, str] = {}
        self._leaves: dict[str, str] = {}

    def plan(self) -> Plan:
        entries: dict[str, str] = {}
        left_out: dict[str, str] = {}
        problems = list(self._ambiguous)
        for method in self._methods:
            if method.hidden < _WITH_ROOM and not any(self._is_made(method, p) for p in method.parameters):
                continue
            try:
                entries[method.name] = self._entry(method)
            except NotMade as reason:
                if method.role is Role.CONSTRUCTOR:
                    message = f"the constructor of `{self._owner.name}` cannot be called: {reason}"
                    problems.append(Diagnostic(Code.UNSUPPORTED, message, method.span))
                left_out[method.name] = str(reason)
        values, things = self._values, self._things
        try:
            results = dict(self._results())
        except InputError as error:
            results, problems = {}, [*problems, *error.diagnostics]
        unused = [
            c for c in self._choices.categories if not any(o in things.objects for o in self._choices.categories[c])
        ]
        for name in unused if not values.problems else ():
            message = f"no input is of the category `{name}`"
            help = f'say it with a bound such as "{self._an_object()}" = "category {name}"'
            problems.append(Diagnostic(Code.USAGE, message, help=help))
        # What else is missing is told at once, or when all is made.
        fails = values.missing or values.problems or problems
        missing = [*values.missing, *self._numbers_missing(entries), *things.stubs.missing] if fails else values.missing
        pieces = tuple(self._writing.pieces)
        return Plan(
            made=Made(self._owner.span.file, pieces) if pieces else None,
            entries={method: made_name(entry) for method, entry in entries.items()},
            forgets={made_name(entry): made_name(forget) for entry, forget in self._forgets.items()},
            leaves={made_name(entry): made_name(leaving) for entry, leaving in self._leaves.items()},
            labels={made_name(m.enum): tuple(v.shown for v in m.values) for m in self._writing.makers},
            said={**things.stubs.said, **self._said},
            names=tuple(values.names),
            bounds={n: b for n, b in self._bounds.items() if n in values.used},
            given=frozenset(self._given[n] for n in values.used),
            later=frozenset(self._later()),
            missing=tuple(dict.fromkeys(missing)),
            problems=(*problems, *values.problems),
            left_out=left_out,
            things=tuple(things.objects.values()),
            functions=tuple(things.stubs.functions),
            callbacks=tuple(things.callbacks),
            results=results,
            assumptions=tuple(things.assumptions),
            named=tuple(o for c in self._choices.categories.values() for o in c),
            handed=tuple(things.preferred.values()),
        )

    def _an_object(self) -> str:
        """An input that an object could be passed for."""
        for method in self._methods:
            for parameter in method.parameters:
                if is_thing(self._program, parameter):
                    return self._input(method, parameter)
        return f"{self._owner.name}.attach.sensor"

    def _functions(self) -> list[str]:
        init = self._subject.init
        called = [*([init] if init is not None else []), *self._subject.functions]
        return list(dict.fromkeys([*called, *(f for _, f in self._subject.callbacks)]))

    def _method(self, function: str) -> Method | None:
        own = [m for m in self._owner.constructors if m.name == function]
        return own[0] if own else self._program.method(function)

    def _input(self, method: Method, parameter: Passed) -> str:
        number = method.parameters.index(parameter)
        shown = self._subject.receivers[method.name].shown
        return f"{shown}.{parameter_names(method.parameters)[number]}"

    def _is_made(self, method: Method, parameter: Passed) -> bool:
        """Whether text is needed for a parameter; for a record that could start at zero, if there is a bound for it."""
        if needs_text(self._program, parameter):
            return True
        return self._has_parts(method, parameter)

    def _has_parts(self, method: Method, parameter: Passed) -> bool:
        """Whether there are bounds for parts of an object, so that its value is what matters."""
        name = self._input(method, parameter)
        return isinstance(parameter.shape, Instance) and any(n.startswith(f"{name}.") for n in self._bounds)

    def _numbers_missing(self, entries: Mapping[str, str]) -> Iterator[MissingBound]:
        """Numbers without a bound that functions take beside what is made for them."""
        for method in self._methods:
            for parameter in method.parameters if method.name in entries else ():
                if parameter.manner is Manner.VALUE and isinstance(parameter.shape, Number):
                    name, type = self._input(method, parameter), parameter.shape.type
                    if name not in self._bounds and default_values(type, self._program.enums) is None:
                        yield MissingBound(name, type, example_of(type))

    def _later(self) -> Iterator[str]:
        """Names of bounds that may be about something that is not there before all is made."""
        inputs = {self._input(m, p) for m in self._methods for p in m.parameters}
        objects = {*self._things.objects, *(t.owner.name for t in self._things.objects.values())}
        for whole, given in self._given.items():
            if (
                whole in inputs
                or whole.partition(".")[0] in objects
                or whole.removesuffix("()") in self._things.callbacks
            ):
                yield given

    def _results(self) -> Iterator[tuple[str, MadeResult]]:
        """How objects are made that functions of parts without code return."""
        handed = [(t.name, t.owner) for t in self._things.objects.values() if not t.stub]
        names = [t.name for t in self._things.objects.values() if t.stub]
        said = {path: c for path, c in self._choices.members.items() if not is_global(path)}
        stubs = [*names, *self._things.preferred.values()]
        parts = parts_of(self._program, self._owner, self._owner.name, said, handed, stubs)
        used = reachable(self._program, self._functions())
        called = {*used.functions, *used.externals}
        for name, stand_in in with_stand_ins(self._program, parts).functions.items():
            of = functions_of(self._program, stand_in.part.owner, stand_in.part.place)
            method = next(m for m, _ in of if m.short == stand_in.short)
            if not _is_returned_object(self._program, method):
                continue
            if method.name not in called and not method.virtual:
                continue
            try:
                values = self._values.of(method.result, f"{name}()", f"{stand_in.of_class}()")
            except NotMade:
                continue  # where it is called, it is refused
            if values:
                self._said[f"{name}()"] = self._values.said_of(f"{name}()") or self._values.said_of(
                    f"{stand_in.of_class}()"
                )
                result = method.result
                type = result.spelled if is_thing(self._program, result) else result.shape.spelled
                maker = self._writing.maker(name, type, values)
                yield name, MadeResult(made_name(maker.enum), made_name(maker.function))

    # ---- names of bounds

    def _whole_names(self, bounds: dict[str, str]) -> dict[str, str]:
        """Bounds for what is made by whole names; a name may leave out what goes without saying."""
        roots: dict[str, dict[str, None]] = {}
        for method in self._methods:
            for parameter in method.parameters:
                whole = self._input(method, parameter)
                for short in short_names(whole, method.name, self._owner.name):
                    roots.setdefault(short, {})[whole] = None
        found: dict[str, str] = {}
        for name, bound in bounds.items():
            meant = [*meant_by(name, roots)]
            if len(meant) > 1:
                readings = ", ".join(f"`{m}`" for m in meant)
                message = f"`{name}` may mean {readings}"
                self._ambiguous.append(Diagnostic(Code.AMBIGUOUS_NAME, message, help="write one of them"))
            whole = meant[0] if len(meant) == 1 else name
            found[whole] = bound
            self._given[whole] = name
        return found

    # ---- text

    def _entry(self, method: Method) -> str:
        """Writes a function that makes what a member function takes, and calls it."""
        function = f"made_call{self._writing.number()}"
        taken: list[str] = []
        made: list[str] = []
        passed: list[str] = []
        lent: list[tuple[Maker, str]] = []
        rooms: list[str] = []
        tried: list[str] = []
        for parameter, name in zip(method.parameters, parameter_names(method.parameters), strict=True):
            if not self._is_made(method, parameter):
                taken.append(declared(parameter.spelled, name))
                passed.append(f"static_cast<{in_code(parameter.spelled)}>({name})" if _moves(parameter) else name)
                tried.append(f"{DECLARED}<{in_code(parameter.spelled)}>()")
                continue
            maker = self._maker(method, parameter, function)
            taken.append(f"{maker.enum} {name}")
            if is_lent(parameter.shape.spelled) and maker.values:
                lent.append((maker, name))
                passed.append(f"{_LENT}{name}")
            elif self._is_changed(method, parameter):
                type = in_code(parameter.shape.spelled)
                rooms.append(f"{type} *{ROOM}{name}")
                made.append(f"::new (static_cast<void *>({ROOM}{name})) {type}({maker.function}({name})); ")
                passed.append(f"{'' if parameter.manner is Manner.POINTER else '*'}{ROOM}{name}")
                tried.append(f"{DECLARED}<{type} {'*' if parameter.manner is Manner.POINTER else '&'}>()")
            else:
                passed.append(f"{maker.function}({name})")
                tried.append(f"{maker.function}(static_cast<{maker.enum}>(0))")
        if len(lent) > 1:
            raise NotMade("it takes several lists in braces")
        text = self._calling(method, function, [*taken, *rooms], "".join(made), ", ".join(passed), lent, tried)
        if rooms:
            leaving = self._leaves[function] = function.replace("call", "leave")
            text += f"\nvoid {leaving}({', '.join(rooms)}) {{ {' '.join(_destroyed(r) for r in rooms)} }}"
        self._writing.add(function, text)
        return function

    def _calling(
        self,
        method: Method,
        function: str,
        taken: list[str],
        made: str,
        inner: str,
        lent: list[tuple[Maker, str]],
        tried: list[str],
    ) -> str:
        """The text of a function that calls a member function."""
        spelled = in_code(self._owner.spelled)
        result = in_code(method.result.spelled)
        own = f"{'const ' if method.constant else ''}{spelled} *{SELF}"
        parameters = ", ".join([own, *taken])
        if method.role is Role.CONSTRUCTOR:
            making = f"::new (static_cast<void *>({SELF})) {spelled}({inner});"
            for maker, name in lent:
                making = chosen(maker, name, f"{making} break;", f"{_LENT}{name}")
            return f"void {function}({parameters}) {{ {made}{making} }}"
        call = f"{spelled}::{method.spelled}({inner})" if method.static else f"{SELF}->{method.spelled}({inner})"
        for maker, name in lent:
            if method.hidden >= _WITH_ROOM:
                raise NotMade("it takes a list in braces, and returns an object")
            call = chosen(maker, name, f"return {call};", f"{_LENT}{name}")
            return f"{result} {function}({parameters}) {{ {made}{call} }}"
        if method.hidden < _WITH_ROOM:
            return f"{result} {function}({parameters}) {{ {made}return {call}; }}"
        forget = self._forgets[function] = function.replace("call", "forget")
        # The class may keep the name of the type to itself.
        attempt = call.removesuffix(f"({inner})").replace(SELF, f"{DECLARED}<{spelled} *>()")
        result = f"decltype({attempt}({', '.join(tried)}))"
        shape = method.result.shape
        if isinstance(shape, Sequence) and shape.spelled.removeprefix("std::").partition("<")[0] in _CHAINS:
            element = in_code(shape.element.spelled)
            # A vector of truth values has no elements of its own.
            result = f"std::vector<{'std::optional<bool>' if element == 'bool' else element}>"
            made += f"auto made_result = {call}; "
            call = f"{result}(made_result.begin(), made_result.end())"
        alias = f"made_of_{forget}"
        return (
            f"using {alias} = {result};\n"
            f"{alias} {function}({parameters}) {{ {made}return {call}; }}\n"
            f"void {forget}({alias} *made) {{ made->~{alias}(); }}"
        )

    def _maker(self, method: Method, parameter: Passed, about: str) -> Maker:
        name = self._input(method, parameter)
        if is_address(self._program, parameter) or isinstance(parameter.shape, Owner | Called):
            kept = kept_in(self._program, method, parameter) if method.role is Role.CONSTRUCTOR else ""
            self._things.preferred[name] = kept or name.rpartition(".")[2]
        if method.role is Role.CONSTRUCTOR and self._values.misses_null(parameter, name):
            return Maker("int", "", ())
        wanted = replace(parameter, manner=Manner.VALUE) if self._has_parts(method, parameter) else parameter
        values = self._values.of(wanted, name)
        if not values:
            return Maker("int", "", ())  # something is missing or wrong, and nothing of this will be read
        thing = is_address(self._program, wanted)
        if thing or self._values.said_of(name) or isinstance(wanted.shape, Owner | Called):
            self._said[name] = self._values.said_of(name)
        return self._writing.maker(about, parameter.spelled if thing else parameter.shape.spelled, values)

    def _is_changed(self, method: Method, parameter: Passed) -> bool:
        """Whether a value has to be kept somewhere, since the function may change it."""
        if is_address(self._program, parameter) and not self._has_parts(method, parameter):
            return False
        if parameter.manner is Manner.POINTER:
            return True
        return parameter.manner is Manner.REFERENCE and not parameter.constant


def _destroyed(room: str) -> str:
    """A statement that destroys what is in a room, given as the parameter for it."""
    type, _, name = room.rpartition(" *")
    return f"{{ using made_type = {type}; {name}->~made_type(); }}"


def _moves(parameter: Passed) -> bool:
    return parameter.manner is Manner.RVALUE


def _is_returned_object(program: Program, method: Method) -> bool:
    """Whether what a function returns has to be made: an object, or the address of one that is there."""
    result = method.result
    if result.manner is Manner.VALUE:
        return method.hidden >= _WITH_ROOM or isinstance(result.shape, Instance | Text)
    return is_thing(program, result) and needs_text(program, result)

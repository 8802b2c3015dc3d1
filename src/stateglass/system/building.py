"""From a program and what the user asked for to a system: entries, bounds, stand-ins, assumptions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final, final

from stateglass.program import (
    AddressOf,
    Array,
    Constant,
    Convert,
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
    is_scalar,
)
from stateglass.program.callgraph import Reachable, reachable, statements_of
from stateglass.program.effects import Effects
from stateglass.program.faults import DELIBERATE
from stateglass.program.names import RESULT
from stateglass.program.walk import nodes_in
from stateglass.source import Code, Diagnostic, InputError, Span, Topic, input_error, suggestion
from stateglass.system.callers import callback_assumptions, callback_entries, client_entries, process_entries
from stateglass.system.choosing import Choosing
from stateglass.system.externals import Externals
from stateglass.system.handed_in import AT_ZERO, Openings, Use, openings
from stateglass.system.inputs import BYTE, InputKind, Need, as_bytes, is_program_start, possible_inputs, written_whole
from stateglass.system.making.applying import applied
from stateglass.system.making.kinds import needs_making
from stateglass.system.making.plan import Plan
from stateglass.system.making.writing import ROOM
from stateglass.system.maps import Maps
from stateglass.system.objects import objects_for, too_many
from stateglass.system.starting import STARTING, with_constructors
from stateglass.system.subject_inputs import field_needs, names_of_lists, object_of, with_whole_names
from stateglass.system.subjects import Asked, Receiver, Subject, bases_of_library, subject_of
from stateglass.system.surroundings import Surroundings, surroundings_of
from stateglass.system.system import (
    Argument,
    Choice,
    Contents,
    Entry,
    Filled,
    Fixed,
    Mode,
    Pointed,
    System,
)
from stateglass.system.undefined import Undefined

MOST_PARTS: Final = 8
"""So many parts of a record are named in advice."""
_OF_ENTRIES: Final = (InputKind.PARAMETER, InputKind.POINTED)


def build_system(
    program: Program,
    functions: tuple[str, ...],
    *,
    init: str | None = None,
    mode: Mode | None = None,
    bounds: tuple[tuple[str, str], ...] = (),
    undefined: Undefined | None = None,
    maps: Maps | None = None,
    abstract: bool = False,
    open: bool = False,
    name: str = "main",
    of_class: str | None = None,
    asked: Asked | None = None,
    plan: Plan | None = None,
) -> System:
    """The system that runs `functions`, or an object of a class. All that is wrong or missing is one `InputError`.

    `abstract`: variables keep what `maps` say, and inputs without bounds may be anything. `open`: inputs without bounds
    have any value of their type, and nothing else is abstract. `name` is what the project
    file calls the system, for advice. `plan` says what is made that no bound is enough for.
    """
    subject = subject_of(program, functions, init, of_class, asked)
    check_names(program, subject.functions, subject.init)
    plan = plan or Plan()
    program, subject = applied(plan, program, subject)
    functions, init = subject.functions, subject.init
    mode = mode or (Mode.RUN if functions == ("main",) else Mode.STEP)
    surroundings = surroundings_of(program, subject, asked or Asked(), plan)
    program, start = with_constructors(surroundings.program, init)
    subject = subject.starting_with(start)
    building = _Building(
        program,
        subject,
        mode,
        bounds,
        undefined or Undefined(),
        name,
        abstract,
        open,
        surroundings,
        asked or Asked(),
        plan,
    )
    system = building.build()
    if maps is None:
        return system
    labels = maps.labels if maps.labels.rules else None
    return replace(system, abstractions=maps.abstractions if abstract else None, labels=labels)


def _made_by_macros(program: Program) -> list[str]:
    """Functions whose name does not stand in the source, because a macro makes it: interrupt handlers often."""
    spans = {name: program.functions[name].span for name in program.own_functions}
    made = [f"`{name}` is made by the macro at {span}" for name, span in spans.items() if span.defined is not None]
    return made[:MOST_PARTS]


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
            classes = [c.name for c in program.classes.values() if not c.span.in_library]
            known = suggestion(name, [*classes, *program.own_functions])
            help = "\n".join(filter(None, [known, *_made_by_macros(program)]))
            what = "function or class" if classes else "function"
            problems.append(Diagnostic(Code.UNKNOWN_NAME, f"there is no {what} `{name}`", help=help))
    for name in functions:
        if functions.count(name) > 1 or name == init:
            problems.append(Diagnostic(Code.USAGE, f"the function `{name}` is named twice"))
            break
    if problems:
        raise InputError(problems)


def _room_name(function: Function, level: int, what: str = "result") -> str:
    """Where an object lies that a function has returned, or may change."""
    return f"%{level or ''}{function.name}.{what}"


@final
class _Building:
    def __init__(
        self,
        program: Program,
        subject: Subject,
        mode: Mode,
        bounds: tuple[tuple[str, str], ...],
        undefined: Undefined,
        name: str,
        abstract: bool,
        open: bool,
        surroundings: Surroundings,
        asked: Asked,
        plan: Plan,
    ) -> None:
        self.program = program
        self.asked = asked
        self.functions = functions = subject.functions
        self.init = init = subject.init
        self.subject = subject
        self.mode = mode
        self.undefined = undefined
        self.name = name
        started = [init] if init is not None else []
        called_back = [f for called in surroundings.callbacks.values() for f in called]
        self.used: Reachable = reachable(program, dict.fromkeys((*surroundings.roots, *functions, *started)))
        chosen = tuple(dict.fromkeys((*functions, *started, *called_back)))
        self.needs = possible_inputs(program, chosen, self.used, subject.shown())
        self.needs += field_needs(program, subject)
        self.needs = [n for n in self.needs if n.owner not in surroundings.answered and n.name not in surroundings.told]
        self.plan = plan
        given = [(n, b) for n, b in bounds if n not in plan.given]
        shared = {**surroundings.aliases, **surroundings.of_classes}
        self.needs = as_bytes(program, self.needs, names_of_lists(given, shared))
        self.bounds = with_whole_names(given, self.needs, subject, shared)
        self.surroundings = surroundings
        self.abstract = abstract
        self.open = open
        self.choosing = Choosing(
            program, self.needs, self.bounds, name, plan=plan, anything=abstract, open=open, subject=subject.title
        )
        self.problems: list[Diagnostic] = []
        self.environment: dict[str, Variable] = {}
        self.handed_in: dict[str, list[Use]] = {}  # objects that no bound says anything of
        self.choosing.assumptions += [*plan.assumptions, *surroundings.assumptions]

    def build(self) -> System:
        self._check_bounds()
        running = self.surroundings.running
        for process in running.processes:
            self._add_object(Variable(process.variable, Int(32, signed=True)))
            self._add_object(Variable(process.shown, process.type))
        enums = {p.type.name: p.definitions for p in running.processes}
        self.program = replace(self.program, enums={**self.program.enums, **enums})
        entries = self._entries()
        init = self._entry(self.init) if self.init is not None else None
        depth = self.asked.callback_depth
        callbacks = callback_entries(self.surroundings.callbacks, depth, self._entry)
        process_calls = process_entries(running, depth, self._entry)
        self.choosing.assumptions += callback_assumptions(callbacks, self.asked)
        outside = Externals(
            self.program, self.used, self.needs, self.choosing, self.surroundings, abstract=self.abstract
        )
        externals = {name: outside.of(self.program.declarations[name]) for name in self.used.externals}
        self.problems += outside.problems
        begun = self._openings()
        self._assume_rest(entries)
        if self.problems:
            raise InputError(self.problems)
        return System(
            program=self.program,
            mode=self.mode,
            entries=entries,
            init=init,
            externals=externals,
            volatile={n.name: self._scalar_choice(n) for n in self.needs if n.kind is InputKind.VOLATILE},
            inputs=(*self.choosing.inputs, *(begun.each if self.open else ())),
            beginnings=begun.once if self.open else (),
            is_tame=outside.is_tame or (not self.open and bool(begun.once or begun.each)),
            environment=tuple(self.environment.values()),
            undefined=self.undefined,
            bounds=tuple(sorted({**self.bounds, **self.plan.bounds}.items())),
            assumptions=tuple(self.choosing.assumptions),
            object=object_of(self.program, self.subject, self.choosing, self.surroundings.valueless),
            left_out=self.subject.left_out,
            processes=running.processes,
            callbacks=callbacks,
            callback_limit=self.asked.callback_limit,
            process_calls=process_calls,
            loads=self.surroundings.loads,
            stores=self.surroundings.stores,
            replaced=self.surroundings.replaced,
            valueless=self.surroundings.valueless & self.program.variables.keys(),
            client_processes=running.clients,
            stand_ins=frozenset(self.surroundings.stand_ins),
            doubles=self.surroundings.doubles,
            made=self.plan.texts(),
        )

    # ---- bounds

    def _check_bounds(self) -> None:
        """Reports, all at once, inputs that need a bound and have none, and bounds that belong to no input."""
        self.problems += [*self.plan.problems, *self.choosing.problems]
        known = self.choosing.names() | set(self.plan.names)
        later = self.plan.later if self.plan.fails else ()
        for name in self.choosing.unused():
            if name in later:
                continue
            message = f"there is no input `{name}` to give a bound for"
            self.problems.append(Diagnostic(Code.BOUND, message, help=self._about(name, known)))
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
        array = next((n for n in self.needs if isinstance(n.type, Array) and name.startswith(n.name + "[")), None)
        if array is not None:
            return f"`{array.name}` is `{array.type}`: a bound is for all of it, or for one element, counted from 0"
        parts = sorted(n for n in known if n.startswith((f"{name}.", f"{name}[")))
        if parts:
            more = ", …" if len(parts) > MOST_PARTS else ""
            nothing = (
                "; `list 0 of {0}` says that nothing is written"
                if name in written_whole(self.program, self.needs)
                else ""
            )
            return (
                f"its parts have bounds of their own: {', '.join(f'`{n}`' for n in parts[:MOST_PARTS])}{more}{nothing}"
            )
        return suggestion(name, known)

    def _scalar_choice(self, need: Need) -> Choice:
        choice = self.choosing.choice(need)
        assert isinstance(choice, Choice)
        return choice

    # ---- entries and the objects their pointers lead to

    def _entries(self) -> tuple[Entry, ...]:
        """What the environment calls between calls."""
        if not self.subject.callers:
            return tuple(map(self._entry, self.functions))
        entries = tuple(client_entries(self.subject.callers, self._entry))
        for gone in dict.fromkeys(e.gone for e in entries if e.gone):
            self._add_object(Variable(gone, Int(32, signed=True)))
        return entries

    def _entry(self, name: str, level: int = 0, *, chosen: bool = True) -> Entry:
        function = self.program.functions[name]
        if is_program_start(function):
            return Entry(function.name, self._command_line(function))
        needs = {n.position: n for n in self.needs if n.owner == function.name and n.kind in _OF_ENTRIES}
        seen: dict[str, int] = {}
        arguments = tuple(
            self._argument(function, p, needs.get(i), seen, level) if chosen else self._open(function, p, level)
            for i, p in enumerate(function.parameters)
        )
        called = f"`{function.name}` would be called with %s combinations of arguments"
        self.problems += too_many(called, arguments, function.span)
        receiver = self.subject.receivers.get(function.name)
        if receiver is None:
            return Entry(function.name, arguments)
        room = next((p.name for p in function.parameters[: receiver.hidden] if p.name == RESULT), "")
        result = _room_name(function, level) if room else ""
        forget, leave = self.plan.forgets.get(function.name, ""), self.plan.leaves.get(function.name, "")
        return Entry(function.name, arguments, receiver.hidden, receiver.shown, result, forget=forget, leave=leave)

    def _open(self, function: Function, parameter: Local, level: int) -> Argument:
        """An argument that a process chooses."""
        receiver, type = self.subject.receivers.get(function.name), parameter.type
        if receiver is not None and parameter in function.parameters[: receiver.hidden]:
            assert isinstance(type, Pointer)
            return self._hidden_argument(function, parameter, type, receiver, level)
        assert is_scalar(type)
        return Choice(f"{function.name}.{parameter.name}", type, ())

    def _argument(
        self, function: Function, parameter: Local, need: Need | None, seen: dict[str, int], level: int
    ) -> Argument:
        type = parameter.type
        choice = self.choosing.choice(need) if need is not None else None
        if not isinstance(type, Pointer):
            assert isinstance(choice, Choice)
            return choice
        told = function.name.rstrip(STARTING)
        name = f"{told}.{parameter.name}"
        receiver = self.subject.receivers.get(function.name)
        if receiver is not None and parameter in function.parameters[: receiver.hidden]:
            return self._hidden_argument(function, parameter, type, receiver, level)
        # What is chosen for a call must stay while that calls back and something is chosen anew.
        if level and choice is not None and not type.readonly:
            name = f"%{level}.{name}"
        if parameter.name.startswith(ROOM):
            room = _room_name(function, level, parameter.name)
            self._add_object(Variable(room, type.target))
            return Pointed(room, None, left=parameter.name.removeprefix(ROOM))
        if isinstance(choice, Contents):
            shape = type.target if isinstance(type.target, Array) else None
            objects, variables = objects_for(choice, name, shape, readonly=type.readonly)
            for variable in variables:
                self._add_object(variable)
            return Filled(choice, objects)
        if isinstance(type.target, Record):
            self._refuse_made(name, type.target, parameter.span)
            # One object for each record type: what `init(&context)` sets up, `step(&context)` finds.
            number = seen[type.target.name] = seen.get(type.target.name, 0) + 1
            object_name = type.target.name if number == 1 else f"{type.target.name}#{number}"
            held: Type = type.target
            text = f"`{parameter.name}` points to one `{held}` that {AT_ZERO}"
        else:
            object_name = name
            held = BYTE if isinstance(type.target, Void) else type.target
            text = f"`{parameter.name}` points to one `{held}` that " + (
                "is set before each call" if choice is not None else AT_ZERO
            )
        if object_name in self.program.variables:
            object_name += "#"
        self._add_object(Variable(object_name, held))
        if choice is None:
            use = Use(function.name, parameter.name, type.readonly, sets_up=function.name == self.init)
            self.handed_in.setdefault(object_name, []).append(use)
        if choice is not None or not self.open:
            self.choosing.assume(Topic.OBJECT, told, text)
        assert choice is None or isinstance(choice, Choice)
        return Pointed(object_name, choice)

    def _refuse_made(self, name: str, record: Record, span: Span) -> None:
        """An object that must be made before it is used cannot be handed in: it would start at zero."""
        owner = self.program.classes.get(record.name)
        if owner is not None and needs_making(self.program, owner):
            message = f"`{name}` is an object of class `{owner.name}`, which the environment cannot make"
            help = "let the class own one, or call it from a function that makes one"
            self.problems.append(Diagnostic(Code.UNSUPPORTED, message, span, help=help))

    def _hidden_argument(
        self, function: Function, parameter: Local, type: Pointer, receiver: Receiver, level: int
    ) -> Argument:
        """The object that a member function is called for, or the room for an object that it returns."""
        if parameter.name == RESULT:
            self._add_object(Variable(_room_name(function, level), type.target))
            return Pointed(_room_name(function, level), None)
        assert self.subject.owner is not None
        self._add_object(Variable(receiver.variable, Record(self.subject.owner.record)))
        return Pointed(receiver.variable, None, receiver.offset)

    def _openings(self) -> Openings:
        """What comes from outside in objects that are handed in."""
        if self.abstract or self.subject.owner is not None:
            return Openings()
        objects = [(self.environment[name], uses) for name, uses in self.handed_in.items()]
        found = openings(self.program, self.used.functions, objects)
        if self.open:
            self.choosing.assumptions += [a for a in found.assumptions if a not in self.choosing.assumptions]
        return found

    def _add_object(self, variable: Variable) -> None:
        self.environment.setdefault(variable.name, variable)

    def _command_line(self, function: Function) -> tuple[Argument, ...]:
        """The arguments of `main`: it runs as if it was called by its name alone."""
        self.choosing.assume(Topic.INPUT, "main", "it runs without command-line arguments (argc is 1)")
        text = "main"
        count, argv = function.parameters[0].type, function.parameters[1].type
        if not (isinstance(count, Int) and isinstance(argv, Pointer) and isinstance(argv.target, Pointer)):
            raise _unknown_main(function)
        letter = argv.target.target
        if not isinstance(letter, Int):
            raise _unknown_main(function)
        word = Array(letter, len(text) + 1)
        initial = tuple(Initial(8 * i, letter, Constant(ord(c), letter)) for i, c in enumerate(text))
        self.environment["argv[0]"] = Variable("argv[0]", word, initial)
        start = Initial(0, argv.target, AddressOf(Global("argv[0]", word), argv.target))
        self.environment["argv"] = Variable("argv", Array(argv.target, 2), (start,))
        self.environment["envp"] = Variable("envp", Array(argv.target, 1))
        rest = [Pointed("envp", None) for _ in function.parameters[2:]]
        return (Fixed(1, count), Pointed("argv", None), *rest)

    # ---- the other assumptions

    def _addresses_as_numbers(self) -> Iterator[Span]:
        for name in self.used.functions:
            for statement in statements_of(self.program.functions[name].blocks):
                found = (n for n in nodes_in(statement) if isinstance(n, Convert) and isinstance(n.type, Int))
                yield from (n.span for n in found if isinstance(n.operand.type, Pointer) and not n.span.in_library)

    def _assume_rest(self, entries: tuple[Entry, ...]) -> None:
        for name in sorted(self.used.variables):
            variable = self.program.variables.get(name)
            if variable is not None and not variable.defined and not variable.volatile:
                self.choosing.assume(Topic.VARIABLE, name, "it is declared but defined nowhere: it starts at zero")
        if self.used.allocates:
            self.choosing.assume(
                Topic.MEMORY,
                "malloc",
                "it never fails; a program that needs more than there is makes the model partial",
            )
        numbered = next(self._addresses_as_numbers(), None)
        if numbered is not None:
            self.choosing.assume(
                Topic.MEMORY, str(numbered), "an address is used as a number here: it is one of this model's own"
            )
        effects = Effects(self.program, self.surroundings.called_from_outside())
        for function in (self.program.functions[name] for name in self.used.functions):
            for order in function.open_orders:
                if order.span.in_library:
                    continue
                if effects.matters(order):
                    what = "this is read before or after the call beside it"
                elif effects.interfere(order):
                    what = "the call here comes before or after the one beside it"
                else:
                    continue
                text = f"C leaves open whether {what}: taken as gcc usually has it"
                self.choosing.assume(Topic.ORDER, str(order.span), text)
        if self.mode is Mode.RUN:
            for name in self.program.destructors:
                self.choosing.assume(Topic.DESTRUCTOR, name, "it would run when the program ends: it is left out")
        for short, name in self.subject.public.items():
            if name not in self.surroundings.roots:
                text = "nobody calls it, as `visible` says"
                self.choosing.assume(Topic.FUNCTION, f"{self.subject.title}.{short}", text)
        owner = self.subject.owner
        for base in dict.fromkeys(bases_of_library(self.program, owner)) if owner is not None else ():
            self.choosing.assume(Topic.FUNCTION, self.subject.title, f"nobody calls what it has of its base `{base}`")
        if len(entries) > 1:
            called = ", ".join(e.name for e in entries)
            self.choosing.assume(Topic.SCHEDULE, called, "one call ends before the next begins")
        self.choosing.assumptions += self.undefined.notes
        if self.abstract and self.undefined.reported - DELIBERATE:
            text = "what is released through a pointer that may be one of several can still be used"
            self.choosing.assume(Topic.UNDEFINED, "errors", text)


def _unknown_main(function: Function) -> InputError:
    message = "this `main` has parameters of a kind that is not known"
    help = "known are `int main(void)` and `int main(int argc, char **argv)`; or name another function with --function"
    return input_error(Code.USAGE, message, function.span, help)

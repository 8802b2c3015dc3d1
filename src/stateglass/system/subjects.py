"""A class as what is run: one object of it, which the environment makes once and calls from then on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, final

from stateglass.program import Pointer, Program, Unsupported
from stateglass.program.callgraph import statements_of
from stateglass.program.classes import Access, Class, Method, MethodTemplate, Role
from stateglass.program.names import plain_part
from stateglass.program.shapes import Other
from stateglass.source import Code, Diagnostic, InputError, close_match, input_error, is_cplusplus, suggestion
from stateglass.system.clients import Client, read_clients
from stateglass.system.fields import names_of_parts
from stateglass.system.making.kinds import derived_from


@final
@dataclass(frozen=True, slots=True)
class Receiver:
    """The object that a member function is called for: a variable of the environment, or a part of it."""

    variable: str
    shown: str  # what the function is called by those who call it
    offset: int = 0  # in bytes
    hidden: int = 1  # how many parameters of the function nobody wrote


@final
@dataclass(frozen=True, slots=True)
class Asked:
    """What the user says about a class that is looked at; names of functions are as its author wrote them."""

    visible: tuple[str, ...] = ()  # which of its public functions are called; empty: all
    throws_terminates: tuple[str, ...] = ()  # after an exception from these nobody calls any more
    members: tuple[str, ...] = ()  # `act1=stub`: what stands for a part
    can_throw: tuple[str, ...] = ()  # `motor.start=Jammed`: what a function without a body may throw
    processes: tuple[str, ...] = ()  # `Door=DOOR = …`: processes by name
    callbacks: tuple[str, ...] = ()  # `motor.start=stopped`: what a function without a body may call
    callback_depth: int = 1  # how many calls back may be under way, one within the other
    callback_limit: int = 0  # how often one call of a function without a body calls back; 0: any number of times
    clients: tuple[str, ...] = ()  # `ui`, `ui.visible=open`: who calls, if that are several
    categories: tuple[str, ...] = ()  # `sensors.a=code Thermo`: objects that may be handed in

    @property
    def process_texts(self) -> dict[str, str]:
        return {name.strip(): text for name, _, text in (p.partition("=") for p in self.processes)}


_KEYWORD: Final = re.compile(r"^(class|struct|union)\s+")
_THROWN: Final = re.compile(r"\bthrow\s*\(\s*([\w.]+)")


def throwing_names(asked: Asked) -> frozenset[str]:
    """What functions are called that something stands for which may throw, without what is around them."""
    named = [text.partition("=")[0].strip() for text in asked.can_throw]
    named += [name for text in asked.processes for name in _THROWN.findall(text)]
    return frozenset(plain_part(name) for name in named)


@final
@dataclass(frozen=True, slots=True)
class Caller:
    """Somebody who calls the object: functions, after whose exceptions it calls no more; or as a process does."""

    name: str  # empty: there is only one
    functions: tuple[str, ...]
    final_throws: frozenset[str] = frozenset()
    process: str = ""


@final
@dataclass(frozen=True, slots=True)
class Subject:
    """What the environment calls: functions, and for those of a class the object."""

    functions: tuple[str, ...]
    init: str | None = None
    receivers: Mapping[str, Receiver] = field(default_factory=dict)  # by function
    owner: Class | None = None
    left_out: tuple[str, ...] = ()  # functions that are not called though they should be, and why
    callers: tuple[Caller, ...] = ()  # of an object: who calls it
    callbacks: tuple[tuple[str, str], ...] = ()  # functions without a body as the user names them, and what they call
    public: Mapping[str, str] = field(default_factory=dict)  # functions that may be called, by the names they have
    others: Mapping[str, str] = field(default_factory=dict)  # the same for what only processes call, if at all

    def starting_with(self, init: str | None) -> Subject:
        """The same with another function that runs first and takes what the old one took."""
        if init == self.init or init is None:
            return self
        receivers = dict(self.receivers)
        if self.init in receivers:
            receivers[init] = receivers[self.init]
        return replace(self, init=init, receivers=receivers)

    @property
    def title(self) -> str:
        """What a project file calls it; empty for functions."""
        return self.owner.name if self.owner is not None else ""

    @property
    def callable(self) -> Mapping[str, str]:
        """Functions that processes may call, by the names they have."""
        return self.public or self.others

    def hidden(self, function: str) -> int:
        """How many parameters of a function nobody wrote."""
        return self.receivers[function].hidden if function in self.receivers else 0

    def shown(self) -> dict[str, str]:
        """What functions are called that others know by another name."""
        return {name: r.shown for name, r in self.receivers.items()}


def subject_of(
    program: Program, names: tuple[str, ...], init: str | None, of_class: str | None = None, asked: Asked | None = None
) -> Subject:
    """What is run if the user names functions, or a class."""
    asked = asked or Asked()
    if of_class is not None:
        if names:
            raise input_error(Code.USAGE, "either a class is looked at or functions: give --class or --function")
        found = class_called(program, of_class)
        if found is None:
            raise InputError([unknown_class(program, of_class)])
        return _object_of(program, found, init, asked)
    classes = [c for name in names if name not in program.functions and (c := class_called(program, name)) is not None]
    if not classes:
        about_classes = ("visible", "throws_terminates", "clients")
        key = next((k for k in about_classes if getattr(asked, k)), None)
        if key is not None:
            raise input_error(Code.USAGE, f"`{key}` is about the functions of a class, and no class is looked at")
        return _functions_of(program, names, init, asked)
    if len(names) > 1:
        raise input_error(Code.USAGE, f"`{classes[0].name}` is a class: it is looked at alone")
    return _object_of(program, classes[0], init, asked)


def _functions_of(program: Program, names: tuple[str, ...], init: str | None, asked: Asked) -> Subject:
    """Functions of the program, which may be called back like those of an object."""
    problems: list[Diagnostic] = []
    called_back: list[tuple[str, str]] = []
    for key, _, name in (text.partition("=") for text in asked.callbacks):
        called_back.append((key.strip().removeprefix("::"), name.strip()))
        if name.strip() not in program.own_functions:
            help = suggestion(name.strip(), program.own_functions)
            problems.append(
                Diagnostic(Code.UNKNOWN_NAME, f"`callbacks`: there is no function `{name.strip()}`", help=help)
            )
    if problems:
        raise InputError(problems)
    return Subject(names, init, callbacks=tuple(called_back), others={n: n for n in program.own_functions})


def functions_called(program: Program, name: str) -> tuple[str, ...]:
    """The function of a name; of a class, all of its own that have a body."""
    owner = None if name in program.functions else class_called(program, name)
    own = [m.name for m in owner.methods if m.name in program.functions and not m.implicit] if owner else []
    return tuple(own) or (name,)


def class_called(program: Program, name: str) -> Class | None:
    """The class that a name means: with all, some or none of its namespaces, or by another name that it has."""
    wanted = _plain(name)
    found: list[Class] = []
    for means in (_is_record, _is_full_name, _is_name, _is_end_of_name):
        found = found or [c for c in program.classes.values() if means(c, wanted)]
    if len(found) > 1:
        readings = ", ".join(f"`{c.record}`" for c in found)
        raise input_error(Code.AMBIGUOUS_NAME, f"there is more than one class `{name}`: {readings}")
    return found[0] if found else None


def public_functions(program: Program, name: str) -> tuple[str, dict[str, str]]:
    """The name of a class as it is told, and the functions that everybody may call, by their names there."""
    found = class_called(program, name)
    if found is None:
        raise InputError([unknown_class(program, name)])
    public = dict(_visible(program, found, 0, frozenset()))
    return found.name, {m.short: m.name for m in public if not _why_not(program, m)}


def _is_record(known: Class, name: str) -> bool:
    return _plain(known.record) == name


def _is_full_name(known: Class, name: str) -> bool:
    return name in map(_plain, (known.spelled, *known.aliases))


def _is_name(known: Class, name: str) -> bool:
    return name in (_plain(known.name), known.name.partition("<")[0])


def _is_end_of_name(known: Class, name: str) -> bool:
    return any(_plain(full).endswith(f".{name}") for full in (known.record, known.spelled, *known.aliases))


def _plain(name: str) -> str:
    """The name of a class as programs here have it, without what C++ lets one write besides."""
    name = _KEYWORD.sub("", name.strip()).removeprefix("::")
    return "".join(name.replace("::", ".").split())


def unknown_class(program: Program, name: str) -> Diagnostic:
    """What is said of a class that there is none of."""
    known = [c.name for c in program.classes.values() if not c.span.in_library]
    help = suggestion(name, known) if known else f"there are no classes in {', '.join(program.files)}"
    is_near = "<" not in name and close_match(name, known)
    if not is_near and any(map(is_cplusplus, program.files)):
        help += "\none that is made of a template is there if the code asks for all of it: `template class Box<int>;`"
    return Diagnostic(Code.UNKNOWN_NAME, f"there is no class `{name}`", help=help)


def _object_of(program: Program, subject: Class, init: str | None, asked: Asked) -> Subject:
    if subject.abstract:
        derived = [c.name for c in derived_from(program, subject)]
        help = f"these are derived from it: {', '.join(derived)}" if derived else "no class is derived from it"
        raise input_error(Code.USAGE, f"`{subject.name}` is abstract: there are no objects of it", subject.span, help)
    public = dict(_visible(program, subject, 0, frozenset()))
    problems: list[Diagnostic] = []
    clients = read_clients(asked.clients, asked.process_texts) or (Client(""),)
    chosen = [_called_by(c, subject, list(public), asked, problems) for c in clients]
    called_back = [
        (key.strip().removeprefix("::"), method)
        for key, _, name in (text.partition("=") for text in asked.callbacks)
        for method in _chosen(subject, list(public), (name.strip(),), "callbacks", problems)
    ]
    parts = [name for name in names_of_parts(program, subject, ()).values() if name]  # what nobody wrote has none
    taken = {subject.name, *(m.name for m in subject.members), *(p.partition(".")[0].partition("[")[0] for p in parts)}
    for client in clients:
        if client.name and client.name in taken:
            message = f"a client cannot be called `{client.name}`: that is the name of a part, or of the class"
            problems.append(Diagnostic(Code.USAGE, message, subject.span))
    if problems:
        raise InputError(problems)
    reasons = {m: _why_not(program, m) for m in public}
    wanted = [m for m in public if any(m in methods for methods, _ in chosen) or m in dict(called_back).values()]
    left_out = [f"`{subject.name}.{m.short}` is not called: {reasons[m]}" for m in wanted if reasons[m]]
    if any(not c.process and not c.visible and not asked.visible for c in clients):
        templates = _templates(program, subject, frozenset())
        left_out += [f"`{subject.name}.{t.name}` is not called: it is a template ({t.span})" for t in templates]
    usable = [m for m in public if not reasons[m]]
    receivers = {m.name: Receiver(subject.name, f"{subject.name}.{m.short}", public[m], m.hidden) for m in usable}
    callers = tuple(
        Caller(c.name, _names(methods, usable), frozenset(m.name for m in ending), c.process)
        for c, (methods, ending) in zip(clients, chosen, strict=True)
    )
    functions = _names([m for methods, _ in chosen for m in methods], usable)
    if not functions and not any(c.process for c in clients):
        help = "\n".join(left_out)
        message = f"`{subject.name}` has no public function that could be called"
        raise input_error(Code.USAGE, message, subject.span, help)
    constructor = _constructor(program, subject, init)
    receivers[constructor.name] = Receiver(subject.name, f"{subject.name}.{constructor.short}")
    return Subject(
        functions,
        constructor.name,
        receivers,
        subject,
        tuple(left_out),
        callers,
        tuple((key, m.name) for key, m in called_back if m in usable),
        {m.short: m.name for m in usable},
    )


def _names(methods: Sequence[Method], usable: Sequence[Method]) -> tuple[str, ...]:
    return tuple(m.name for m in usable if m in methods)


def _called_by(
    client: Client, subject: Class, public: list[Method], asked: Asked, problems: list[Diagnostic]
) -> tuple[list[Method], list[Method]]:
    """The functions that a client calls, and those after whose exceptions it calls no more."""
    if client.process:
        return [], []
    visible = client.visible or asked.visible
    ending = client.throws_terminates or asked.throws_terminates
    called = _chosen(subject, public, visible, "visible", problems) if visible else public
    return called, _chosen(subject, public, ending, "throws_terminates", problems)


def _chosen(
    subject: Class, public: list[Method], names: tuple[str, ...], key: str, problems: list[Diagnostic]
) -> list[Method]:
    """The functions that names mean; a name alone means all of that name."""
    found: list[Method] = []
    for name in names:
        short = name.removeprefix(f"{subject.name}.")
        meant = [m for m in public if short in (m.short, m.short.partition("<")[0])]
        found += meant
        if not meant:
            help = suggestion(short, [m.short for m in public])
            message = f"`{key}`: `{subject.name}` has no public function `{short}`"
            problems.append(Diagnostic(Code.UNKNOWN_NAME, message, subject.span, help=help))
    return list(dict.fromkeys(found))


def _why_not(program: Program, method: Method) -> str:
    """Why the environment cannot call a function; empty: it can."""
    function = program.functions.get(method.name)
    if function is None:
        return f"it has no body here ({method.span})"
    for statement in statements_of(function.blocks):
        if isinstance(statement, Unsupported):
            return f"not supported: {statement.reason} ({statement.span})"
    for passed, parameter in zip(method.parameters, function.parameters[method.hidden :], strict=False):
        type = parameter.type
        if isinstance(passed.shape, Other) and isinstance(type, Pointer) and isinstance(type.target, Pointer):
            return f"nobody outside can make a `{passed.spelled}` ({method.span})"
    return ""


def _constructor(program: Program, subject: Class, init: str | None) -> Method:
    """The constructor that makes the object: the one asked for, the only public one, or the one without parameters."""
    public = [m for m in subject.constructors if m.access is Access.PUBLIC and not (m.implicit and m.parameters)]
    usable = [m for m in public if m.name in program.functions]
    listed = ", ".join(f"`{m.short}`" for m in usable)
    if init is not None:
        short = init.rpartition(f"{subject.name}.")[2] or init
        meant = [m for m in usable if init in (m.name, m.short) or short == m.short]
        if not meant:
            message = f"`{init}` is no constructor of `{subject.name}` that makes the object"
            raise input_error(Code.UNKNOWN_NAME, message, subject.span, f"there is {listed}" if listed else "")
        return meant[0]
    if not usable:
        help = "a class of your own that is derived from it may have one: its functions are those of both"
        raise input_error(Code.USAGE, f"no public constructor of `{subject.name}` has a body here", subject.span, help)
    if len(usable) == 1:
        return usable[0]
    plain = [m for m in usable if len(program.functions[m.name].parameters) == m.hidden]
    if plain:
        return plain[0]
    help = f"say with --init which one makes the object: {listed}"
    raise input_error(Code.USAGE, f"`{subject.name}` has several constructors", subject.span, help)


def _visible(program: Program, owner: Class, offset: int, shadowed: frozenset[str]) -> Iterator[tuple[Method, int]]:
    """The functions that everybody may call, and where in the object lies what they are called for."""
    own = [m for m in owner.methods if m.role is Role.METHOD and not m.implicit]
    for method in own:
        if method.access is Access.PUBLIC and method.short.partition("<")[0] not in shadowed:
            yield method, offset
    for brought in owner.brought:
        if brought.method.access is Access.PUBLIC and brought.method.spelled not in shadowed:
            yield brought.method, offset + brought.offset
    shadowed = shadowed | _own_names(owner)
    layout = program.records[owner.record]
    for base in owner.bases:
        known = program.classes.get(base)
        part = next((f for f in layout.fields if getattr(f.type, "name", None) == base), None)
        if known is not None and part is not None:
            yield from _visible(program, known, offset + part.offset, shadowed)


def bases_of_library(program: Program, owner: Class) -> Iterator[str]:
    """The bases that everybody may know, but whose functions nobody calls: they are of no file of the user."""
    for base in owner.bases:
        known = program.classes.get(base)
        if known is None:
            yield base
        else:
            yield from bases_of_library(program, known)


def _templates(program: Program, owner: Class, shadowed: frozenset[str]) -> Iterator[MethodTemplate]:
    """The templates of functions that everybody may call."""
    yield from (t for t in owner.templates if t.name not in shadowed)
    known = [program.classes[base] for base in owner.bases if base in program.classes]
    for base in known:
        yield from _templates(program, base, shadowed | _own_names(owner))


def _own_names(owner: Class) -> frozenset[str]:
    """What functions of a class are called; those of its bases that are called so are hidden by them."""
    own = [m for m in owner.methods if m.role is Role.METHOD and not m.implicit]
    named = {m.short.partition("<")[0] for m in own} | {b.method.spelled for b in owner.brought}
    return frozenset(named | {t.name for t in owner.templates})

"""From bounds to choices: the values of every input, what is said about them, and all that is wrong or missing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, final

from stateglass.program import Array, Bool, Enum, Float, Int, Pointer, Program, Type, Void, is_scalar, size_of
from stateglass.program.layout import count_cells
from stateglass.source import Assumption, Code, Diagnostic, InputError, Topic
from stateglass.system.bounds import (
    BoundSpec,
    ListOf,
    Names,
    Union,
    Written,
    default_values,
    describe_missing,
    is_list,
    parse_bound,
    resolve,
    resolve_rows,
    texts_of,
)
from stateglass.system.examples import NULL, example_for, examples_for
from stateglass.system.inputs import (
    BYTE,
    InputKind,
    Need,
    as_bytes,
    asked_type,
    element_of,
    element_paths,
    many_members,
    pointer_of,
)
from stateglass.system.making.plan import Plan
from stateglass.system.system import Choice, Contents, Handed, InputVariable

MOST_OPEN: Final = 64
"""Of so many elements of an array each may have any value."""


@final
class Choosing:
    """Chooses values for all inputs, by their bounds. If there are `problems`, the choices are of no use."""

    def __init__(
        self,
        program: Program,
        needs: Iterable[Need],
        bounds: Mapping[str, str],
        system: str,
        *,
        plan: Plan | None = None,
        anything: bool = False,
        open: bool = False,
        subject: str = "",
    ) -> None:
        """`anything`: an input without a bound may have any value, as on abstract values. `open`: it may have any value
        of its type, exactly. `subject`: the class that is looked at, and `plan` what is made for it."""
        self._plan = plan or Plan()
        self._anything = anything
        self.is_open = open
        self.problems: list[Diagnostic] = []
        self.assumptions: list[Assumption] = []
        self.inputs: list[InputVariable] = []
        self.lost: list[Need] = []  # arrays with too many elements to speak of each
        self._program = program
        self._needs = list(needs)
        self._texts = dict(bounds)
        self._specs: dict[str, BoundSpec] = {}
        self._used: set[str] = set()
        self._choices: dict[tuple[InputKind, str], Choice | Contents | Handed] = {}
        self._elements_of: dict[tuple[InputKind, str], tuple[tuple[int, Choice], ...]] = {}
        self._missing: list[Need] = []
        for name, text in bounds.items():
            try:
                self._specs[name] = parse_bound(text)
            except InputError as error:
                self.problems += error.diagnostics
                del self._texts[name]
        for need in self._needs:
            self._choose(need)
        self._report_missing(system, subject)

    # ---- what came out

    def unused(self) -> list[str]:
        """The names of bounds that belong to no input."""
        return [name for name in self._texts if name not in self._used]

    def choice(self, need: Need) -> Choice | Contents | Handed | None:
        return self._choices.get((need.kind, need.name))

    def elements(self, need: Need) -> tuple[tuple[int, Choice], ...]:
        """The elements of an array that are chosen one by one, each with where it begins, in bits."""
        return self._elements_of.get((need.kind, need.name), ())

    def is_free(self, choice: Choice | Contents) -> bool:
        """Whether no bound says which values a choice has."""
        return choice.name not in self._texts and choice.name.split("[")[0] not in self._texts

    def names(self) -> set[str]:
        """The names under which bounds can be given."""
        return {n.name for n in self._needs} | {stem(n.name) for n in self._needs if n.kind is InputKind.VOLATILE}

    # ---- one input after the other

    def _choose(self, need: Need) -> None:
        name = self._bound_of(need)
        spec = self._specs[name] if name is not None else None
        own = self._own(need, spec)
        self._used.update([name] if name is not None else [])
        self._used.update(element for element, _ in own.values())
        try:
            if need.kind is InputKind.RESULT and isinstance(need.type, Pointer):
                if spec is not None:
                    self._hand(need, spec)
            elif isinstance(need.type, Array):
                self._array(need, spec, own)
            elif need.several and (own or (spec is not None and is_list(spec))):
                self._list(need, spec, own)
            else:
                self._scalar(need, spec, name)
        except InputError as error:
            self.problems += error.diagnostics

    def _bound_of(self, need: Need) -> str | None:
        """The name under which the bound of an input was given; None if there is none."""
        if need.kind is InputKind.VOLATILE:
            self._refuse_elements(need)
        if need.name in self._texts:
            return need.name
        if need.kind is not InputKind.VOLATILE:
            return None
        # An array or record that it is part of, the smallest one first.
        ends = [m.start() for m in re.finditer(r"\.|\[", need.name)]
        return next((need.name[:end] for end in reversed(ends) if need.name[:end] in self._texts), None)

    def _refuse_elements(self, need: Need) -> None:
        """Refuses bounds for single elements of a volatile array that is read at a computed index."""
        element = re.compile(r"\.".join(re.escape(part) + r"(?:\[[0-9]+\])*" for part in need.name.split(".")))
        for name, text in self._texts.items():
            if name != need.name and element.fullmatch(name):
                self._used.add(name)
                message = f"`{name}` cannot have a bound of its own: `{need.name}` is read at an index that is computed"
                help = f"give one bound for all elements: `{need.name}={text}`"
                self.problems.append(Diagnostic(Code.BOUND, message, help=help))

    def _own(self, need: Need, spec: BoundSpec | None) -> dict[int, tuple[str, BoundSpec]]:
        """The elements of an input that have a bound of their own, by number."""
        named = [n for n in self._texts if n.startswith(need.name + "[")]
        if not named or need.kind is InputKind.VOLATILE or not (need.several or isinstance(need.type, Array)):
            return {}
        if isinstance(need.type, Array):
            paths = {need.name + path: i for i, path in enumerate(element_paths(self._program, need.type))}
            return {paths[n]: (n, self._specs[n]) for n in named if n in paths}
        numbers = {n: n.removeprefix(need.name + "[").removesuffix("]") for n in named}
        return {int(i): (n, self._specs[n]) for n, i in numbers.items() if i.isdecimal() and len(i) < 10}

    def _scalar(self, need: Need, spec: BoundSpec | None, name: str | None) -> None:
        if spec is not None and name is not None:
            element = element_of(need.type) if need.several else need.type
            values = resolve(spec, element, self._program.enums, need.name)
            text = f"any of {self._texts[name]}"
        elif need.required and self._anything and is_scalar(need.type):
            self._choices[need.kind, need.name] = Choice(need.name, need.type, (), anything=True)
            self._say(need, "any value")
            return
        elif self.is_open and need.kind is InputKind.WRITTEN and isinstance(need.type, Void):
            self._choices[need.kind, need.name] = Choice(need.name, BYTE, (), anything=True)
            what = f"it sets every number behind `{_parameter(need)}` to any value, and leaves pointers there alone"
            self.assume(Topic.FUNCTION, need.owner, f"it has no body: {what}")
            return
        elif need.required:
            if self._anything:
                return
            found = default_values(need.type, self._program.enums)
            if found is None and self._may_be_open(need):
                assert is_scalar(need.type)
                self._choices[need.kind, need.name] = Choice(need.name, need.type, (), anything=True)
                self._say(need, "any value")
                return
            if found is None:
                self._missing.append(need)
                return
            values, text = found, self._plan.said.get(need.name, own_values(element_of(need.type)))
        else:
            return
        type = element_of(need.type)
        assert is_scalar(type)
        choice = Choice(need.name, type, values)
        self._choices[need.kind, need.name] = choice
        if need.kind is InputKind.GLOBAL:
            self.inputs.append(InputVariable(need.owner, need.part, choice))
        if text:
            self._say(need, text)

    def _may_be_open(self, need: Need) -> bool:
        """Whether all values of a type are meant where there is no bound; how many bytes there are is asked."""
        is_bytes = need.several and isinstance(need.type, Int) and need.type.bits == BYTE.bits
        is_number = isinstance(need.type, Bool | Int | Float | Enum)
        return self.is_open and is_number and not (is_bytes and need.kind is InputKind.POINTED)

    def _array(self, need: Need, spec: BoundSpec | None, own: dict[int, tuple[str, BoundSpec]]) -> None:
        element = element_of(need.type)
        assert isinstance(element, Bool | Int | Float | Enum)
        count = count_cells(need.type, self._program.records)
        if spec is None and not own and not need.required:
            return
        if spec is None and need.kind is InputKind.GLOBAL:
            self._elements(need, element, own)
            return
        if spec is None and not own and self._anything:
            return
        if spec is None and not own and self.is_open and need.kind is InputKind.WRITTEN:
            self._open_elements(need, element, count)
            return
        if spec is None and not own and self.is_open and need.kind is InputKind.POINTED:
            return  # an object that is handed in, of which no bound says anything
        if spec is None and len(own) < count and default_values(element, self._program.enums) is None:
            self._missing.append(need)
            return
        rows = resolve_rows(spec, own, element, count, self._program.enums, need.name)
        contents = Contents(need.name, element, rows.rows, rows.text)
        self._choices[need.kind, need.name] = contents
        if need.kind is InputKind.GLOBAL:
            self.inputs.append(InputVariable(need.owner, need.part, contents))
        if spec is not None:
            self._say_each(need, spec)
        elif len(own) < count:
            self._say_all(need, own_values(element))
        self._say_own(need, own)

    def _open_elements(self, need: Need, type: Bool | Int | Float | Enum, count: int) -> None:
        """What a function without a body writes to an array: any values, if those are few enough to speak of each."""
        if count > MOST_OPEN:
            what = f"what it writes to `{_parameter(need)}` is not known"
            self.assume(Topic.FUNCTION, need.owner, f"it has no body: {what}")
            self.lost.append(need)
            return
        width = 8 * size_of(type, self._program.records)
        paths = element_paths(self._program, need.type)
        self._elements_of[need.kind, need.name] = tuple(
            (need.part + index * width, Choice(need.name + path, type, (), anything=True))
            for index, path in enumerate(paths)
        )
        self._say_all(need, "any value")

    def _elements(self, need: Need, type: Bool | Int | Float | Enum, own: dict[int, tuple[str, BoundSpec]]) -> None:
        """Single elements of a global array, each an input by itself."""
        width = 8 * size_of(type, self._program.records)
        for index, (name, spec) in sorted(own.items()):
            values = resolve(spec, type, self._program.enums, name)
            choice = Choice(name, type, values)
            self.inputs.append(InputVariable(need.owner, need.part + index * width, choice))
            self.assume(Topic.INPUT, name, f"before each call it is set to any of {self._texts[name]}")

    def _list(self, need: Need, spec: BoundSpec | None, own: dict[int, tuple[str, BoundSpec]]) -> None:
        element = element_of(need.type)
        assert is_scalar(element)
        if spec is None or not is_list(spec):
            named = ", ".join(f"`{n}`" for n, _ in own.values())
            message = f"{named}: how many elements `{need.name}` has is not known"
            help = f"say it with a bound such as `{need.name}=list {max(own) + 1} of {spec if spec is not None else 0}`"
            self.problems.append(Diagnostic(Code.BOUND, message, help=help))
            return
        rows = resolve_rows(spec, own, element, None, self._program.enums, need.name)
        self._choices[need.kind, need.name] = Contents(need.name, element, rows.rows, rows.text)
        self._say_list(need, spec)
        self._say_own(need, own)

    def _hand(self, need: Need, spec: BoundSpec) -> None:
        """Chooses what a function without a body returns as a pointer: null, or one of its parameters."""
        declaration = self._program.declarations[need.owner]
        pointers = {p.name: i for i, p in enumerate(declaration.parameters) if isinstance(p.type, Pointer)}
        parts = spec.parts if isinstance(spec, Union) else (spec,)
        names = list(dict.fromkeys(n for p in parts if isinstance(p, Names) for n in p.names))
        known = [NULL, *pointers]
        wrong = [str(p) for p in parts if not isinstance(p, Names)] + [n for n in names if n not in known]
        if wrong:
            listed = " or ".join(f"`{n}`" for n in known)
            message = f"`{wrong[0]}` cannot be what `{need.owner}` returns, which is a pointer (`{need.type}`)"
            help = f"it returns {listed}" + (", a pointer that it is given" if pointers else "")
            self.problems.append(Diagnostic(Code.BOUND, message, help=help))
            return
        self._choices[need.kind, need.name] = Handed(need.name, tuple(pointers.get(n) for n in names))
        shown = " or ".join(NULL if n == NULL else f"`{n}`" for n in names)
        self.assume(Topic.FUNCTION, need.owner, f"it has no body: it returns {shown}")

    def _report_missing(self, system: str, subject: str) -> None:
        made = self._plan.missing
        if not self._missing and not made:
            return
        open_ends = [
            n
            for n in self._needs
            if not n.required
            and (n.kind is InputKind.RESULT or (n.kind is InputKind.WRITTEN and n.several))
            and (n.kind, n.name) not in self._choices
        ]
        many = many_members(self._program, self._missing, self._texts)
        missing = as_bytes(self._program, self._missing, many.keys())
        examples = examples_for((*missing, *open_ends), self._program)
        examples |= {m.name: m.example for m in made}
        self.problems += describe_missing(
            [*((m.name, m.type) for m in made), *((n.name, asked_type(self._program, n)) for n in missing)],
            system,
            examples,
            [n.name for n in open_ends],
            list(dict.fromkeys(self._written(n, many) for n in missing if n.kind is InputKind.WRITTEN)),
            (subject, self._program.files) if subject else None,
        )

    def _written(self, need: Need, many: Mapping[str, Sequence[Need]]) -> Written:
        members = many.get(need.name, ())
        first = (members[0].name, example_for(members[0], self._program) or "") if members else ("", "")
        return Written(need.owner, pointer_of(self._program, need), len(members), *first)

    # ---- assumptions

    def _say(self, need: Need, text: str) -> None:
        match need.kind:
            case InputKind.PARAMETER:
                self.assume(Topic.BOUND, need.name, f"each call gives it {text}")
            case InputKind.POINTED:
                self.assume(Topic.BOUND, need.name, f"before each call what it points to is set to {text}")
            case InputKind.VOLATILE:
                self.assume(Topic.VOLATILE, need.name, f"each read gives {text}")
            case InputKind.GLOBAL:
                self.assume(Topic.INPUT, need.name, f"before each call it is set to {text}")
            case InputKind.FIELD:
                self.assume(Topic.INPUT, need.name, f"between calls it may be set to {text}")
            case InputKind.RESULT:
                self.assume(Topic.FUNCTION, need.owner, f"it has no body: it returns {text}")
            case InputKind.WRITTEN:
                behind = ", and what follows it in an array" if self.is_open and need.several else ""
                inside = need.name != pointer_of(self._program, need)
                place = f"`{_parameter(need)}`" if inside else f"what `{_parameter(need)}` points to{behind},"
                self.assume(Topic.FUNCTION, need.owner, f"it has no body: it sets {place} to {text}")

    def _say_each(self, need: Need, spec: BoundSpec) -> None:
        """Notes the assumption about an array whose elements share one bound."""
        text = self._texts[need.name]
        if texts_of(spec) is not None:
            self._say(need, f"one of the texts {text}")
        else:
            each = (spec.element or "its values") if isinstance(spec, ListOf) else text
            self._say_all(need, f"any of {each}")

    def _say_all(self, need: Need, text: str) -> None:
        match need.kind:
            case InputKind.POINTED:
                self.assume(Topic.BOUND, need.name, f"before each call each element it points to is set to {text}")
            case InputKind.WRITTEN:
                what = _parameter(need)
                self.assume(Topic.FUNCTION, need.owner, f"it has no body: it sets each element of `{what}` to {text}")
            case _:
                self.assume(Topic.INPUT, need.name, f"before each call each element is set to {text}")

    def _say_list(self, need: Need, spec: BoundSpec) -> None:
        """Notes the assumption about a list: its bound says how many elements there are."""
        if isinstance(spec, ListOf):
            count = str(spec.longest) if spec.shortest == spec.longest else f"{spec.shortest} to {spec.longest}"
            noun = "byte" if need.type != element_of(need.type) else "element"
            plural = noun if spec.longest == 1 and spec.shortest == 1 else f"{noun}s"
            each = "" if plural == noun else "each "
            text = f"{count} {plural}, {each}any of {spec.element or 'its values'}"
        else:
            text = f"one of the texts {self._texts[need.name]}"
        if need.kind is InputKind.POINTED:
            self.assume(Topic.BOUND, need.name, f"each call points it to {text}")
            return
        if isinstance(spec, ListOf) and not spec.longest:
            self.assume(Topic.FUNCTION, need.owner, f"it has no body: it writes nothing through `{_parameter(need)}`")
            return
        # Nothing relates what is written to the result, as it would for `read`: that must not go unsaid.
        what = f"through `{_parameter(need)}` it writes {text}, whatever it is given or returns"
        self.assume(Topic.FUNCTION, need.owner, f"it has no body: {what}")

    def _say_own(self, need: Need, own: dict[int, tuple[str, BoundSpec]]) -> None:
        for name, _ in own.values():
            text = f"any of {self._texts[name]}"
            if need.kind is InputKind.WRITTEN:
                what = name.removeprefix(need.owner + ".")
                self.assume(Topic.FUNCTION, need.owner, f"it has no body: it sets what `{what}` points to, to {text}")
            else:
                self.assume(Topic.BOUND, name, f"this element is {text}")

    def assume(self, kind: Topic, subject: str, text: str) -> None:
        assumption = Assumption(kind, subject, text)
        if assumption not in self.assumptions:
            self.assumptions.append(assumption)


def own_values(type: Type) -> str:
    """What is said of an input that has few values by itself; C allows other numbers in an enumeration."""
    return "any of its named values" if isinstance(type, Enum) else "any of its values"


def _parameter(need: Need) -> str:
    return need.name.removeprefix(need.owner + ".")


def stem(name: str) -> str:
    """The variable that a name is about."""
    return name.split(".")[0].split("[")[0]

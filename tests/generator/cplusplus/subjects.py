"""Writes a class whose public functions others call in any order, and what can be seen of its objects."""

from dataclasses import dataclass
from typing import Final, final

from tests.generator.cplusplus.containers import choose_container
from tests.generator.cplusplus.expressions import number, small, truth
from tests.generator.cplusplus.statements import statements
from tests.generator.cplusplus.world import Class, Container, Context, Field, Function, Level, Variable, World

_FIELDS: Final = (
    ("int", 1000), ("int", 1000), ("int", 1000), ("short", 1000), ("long long", 1000), ("unsigned char", 256),
    ("bool", 1), ("Mode", 10), ("double", 1000), ("unsigned", 1000),
)  # fmt: skip
_PARAMETERS: Final = ("int", "int", "bool", "Mode", "short", "unsigned char", "long long", "int &", "const int &")
_RESULTS: Final = ("int", "int", "bool", "Mode", "void", "short", "double", "unsigned", "char")
VALUES: Final = {
    "int": ("-7", "0", "1", "2", "5", "13", "40"),
    "bool": ("false", "true"),
    "Mode": ("Slow", "Fast"),
    "short": ("-3", "0", "4", "31"),
    "unsigned char": ("0", "9", "200"),
    "long long": ("-1", "6", "900"),
    "int &": ("0", "3", "77"),
    "const int &": ("2", "50"),
}
"""Which arguments are given, as actions show them."""


@final
@dataclass(frozen=True, slots=True)
class Method:
    """A function that others call: its name, how actions call it, and what it takes and returns."""

    name: str
    shown: str
    parameters: tuple[tuple[str, str], ...]  # type and name
    result: str


@final
@dataclass(frozen=True, slots=True)
class Subject:
    """A class that is looked at."""

    name: str
    constructor: Method
    methods: tuple[Method, ...]
    fields: tuple[tuple[str, str], ...]  # the name of a number in states, and the expression for it on an object `s`


@final
class SubjectWriter:
    """Writes one class, after those of the world."""

    def __init__(self, world: World, name: str, space: str) -> None:
        self.world = world
        self.dice = world.dice
        self.ctx = Context(world)
        self.ctx.depth = 0
        self.name = name
        self.space = space
        number = len(world.classes) + 1
        self.this = Class(name, name, number, total="digest", method="change", copied=False, moved=False)
        self.this.assigned = False
        self.parts: list[tuple[str, Class]] = []
        self.containers: list[tuple[str, Container]] = []
        self.methods: list[Method] = []
        self.helpers: set[str] = set()

    def write(self) -> tuple[str, Subject]:
        self._choose()
        ctx, this = self.ctx, self.this
        bases = ", ".join(f"public {b.full}" for b in this.bases)
        with ctx.block(f"class {self.name}" + (f" : {bases}" if bases else ""), "};"):
            self._fields()
            kept = len(self.world.functions)
            self._helpers()
            ctx.write("public:")
            constructor = self._constructor()
            self._ends()
            self._digest()
            for index in range(self.dice.randrange(3, 7)):
                self._method(index)
            self._overloads()
            del self.world.functions[kept:]
        text = "\n".join(ctx.lines)
        return text, Subject(self.name, constructor, tuple(self.methods), tuple(self._seen()))

    # ---- what it has

    def _choose(self) -> None:
        ctx, dice, this = self.ctx, self.dice, self.this
        known = [c for c in self.world.classes if not c.parts]
        for _ in range(dice.choice([0, 1, 1, 2])):
            found = [c for c in known if not any(c.ancestors() & b.ancestors() for b in this.bases)]
            if found:
                this.bases.append(dice.choice(found))
        inherited = [v for b in this.bases for v in b.virtuals]
        self.overridden = list(dict.fromkeys(inherited))
        this.virtuals = list(self.overridden)
        for _ in range(dice.randrange(2, 5)):
            type, bound = dice.choice(_FIELDS)
            this.fields.append(Field(ctx.fresh("f"), type, bound))
        whole = [c for c in known if not c.is_abstract]
        for _ in range(dice.randrange(3)):
            self.parts.append((ctx.fresh("part"), dice.choice(whole)))
        for _ in range(dice.randrange(3)):
            name = ctx.fresh("c")
            type, made = choose_container(ctx, f"this->{name}")
            self.containers.append((f"{type} {name}{'{}' if made.kind == 'array' else ''};", made))
        self.reference = dice.choice(["", "number", "part", "pointer"])
        self.row = ctx.fresh("row") if ctx.chance(0.4) else ""
        self.counter = ctx.fresh("count") if ctx.chance(0.4) else ""

    def _fields(self) -> None:
        ctx = self.ctx
        for field in self.this.fields:
            ctx.write(f"{field.type} {field.name} = {field.given(str(self.dice.randrange(90)))};")
        for name, type in self.parts:
            ctx.write(f"{type.full} {name};")
        for text, _ in self.containers:
            ctx.write(text)
        if self.row:
            ctx.write(f"int {self.row}[3] = {{1, {self.dice.randrange(9)}}};")
        if self.counter:
            ctx.write(f"inline static int {self.counter} = 2;")
        if self.reference == "number":
            ctx.note("reference as a field")
            own = [f.name for f in self.this.fields if f.type == "int"]
            ctx.write(f"int &linked = {self.dice.choice([*own, *self.world.numbers])};")
        elif self.reference and self.parts:
            name, type = self.dice.choice(self.parts)
            target = self.dice.choice([type, *type.bases])
            star = "&" if self.reference == "part" else "*"
            ctx.note("reference as a field" if star == "&" else "pointer as a field")
            ctx.write(f"{target.full} {star}linked = {'' if star == '&' else '&'}{name};")
            text = "this->linked" if star == "&" else "(*this->linked)"
            self.linked: Variable | None = Variable(text, target)
            return
        self.linked = None

    def _enter(self, *, constant: bool = False) -> None:
        """What a member function can use besides its parameters."""
        ctx = self.ctx
        ctx.objects.append(Variable("(*this)", self.this, constant))
        if constant:
            return
        ctx.numbers += [f"this->{f.name}" for f in self.this.fields if f.type == "int"]
        ctx.numbers += [f"this->{self.row}[{self.dice.randrange(3)}]"] if self.row else []
        ctx.numbers += [f"{self.name}::{self.counter}"] if self.counter else []
        ctx.numbers += ["this->linked"] if self.reference == "number" else []
        ctx.objects += [Variable(f"this->{name}", type) for name, type in self.parts]
        ctx.objects += [self.linked] if self.linked is not None else []
        ctx.containers += [made for _, made in self.containers]

    # ---- its functions

    def _helpers(self) -> None:
        """Functions that others cannot call: exceptions pass through several frames."""
        ctx = self.ctx
        for index in range(self.dice.randrange(1, 4)):
            name = f"h{index}"
            with ctx.block(f"int {name}(int x)"):
                ctx.write("if (--fuel < 0) return 0;")
                self._enter()
                ctx.constants.append("x")
                self._body(self.dice.randrange(2, 6))
                ctx.write(f"return {small(ctx)};")
            self._helper(name)
        if ctx.chance(0.5):
            ctx.note("noexcept")
            with ctx.block("int quiet(int x) noexcept"):
                ctx.write("if (--fuel < 0) return 0;")
                with ctx.block("try"):
                    ctx.write(f"return h0({small(ctx, Level.QUIET)} + x % 9);")
                with ctx.block("catch (const Error &e)"):
                    ctx.write("return event(98, clip(e.code));")
                with ctx.block("catch (...)"):
                    ctx.write("return event(99, 1);")
            self._helper("quiet")

    def _helper(self, name: str) -> None:
        self.helpers.add(name)
        self.world.functions.append(Function(name, None, "", None))

    def _body(self, count: int) -> None:
        ctx = self.ctx
        ctx.left, ctx.returns = count + 3, ""
        statements(ctx, count, 1)

    def _constructor(self) -> Method:
        ctx, dice = self.ctx, self.dice
        parameters = [("int", name) for name in ("a", "b")[: dice.randrange(3)]]
        values = [name for _, name in parameters] or [str(dice.randrange(20))]
        starts = [f"{b.full}({self._start(values)})" for b in self.this.bases]
        starts += [
            f"{f.name}({f.given(self._start(values))})"
            for f in self.this.fields
            if f.type != "bool" and ctx.chance(0.4)
        ]
        starts += [f"{name}({self._start(values)})" for name, _ in self.parts]
        head = f"{self.name}({', '.join(f'{t} {n}' for t, n in parameters)})"
        with ctx.block(f"{head} : {', '.join(starts)}" if starts else head):
            ctx.write(f"fuel = {_FUEL};")
            self._enter()
            ctx.constants += [n for _, n in parameters]
            self._body(dice.randrange(0, 3))
        shown = f"{self.name}.{self.name}"
        return Method(self.name, shown, tuple(parameters), "")

    def _start(self, values: list[str]) -> str:
        value = self.dice.choice(values)
        return self.dice.choice([value, f"clip({value} + 1)", f"event(9, {value})", f"clip({value} * 3)"])

    def _ends(self) -> None:
        if self.ctx.chance(0.5):
            self.ctx.write(f"~{self.name}() {{ event(8, digest()); }}")

    def _digest(self) -> None:
        ctx = self.ctx
        parts = [f.read("") for f in self.this.fields] + [f"{n}.{t.total}()" for n, t in self.parts]
        parts += [f"{b.total}()" for b in self.this.bases] + [made.sum for _, made in self.containers]
        parts += [f"{self.row}[0] + {self.row}[1] * 2 + {self.row}[2] * 3"] if self.row else []
        ctx.write(f"int digest() const {{ return clip({' + '.join(parts)}); }}")
        self.methods.append(Method("digest", f"{self.name}.digest", (), "int"))
        field = self.this.fields[0]
        ctx.write(
            f"int change(int x) {{ {field.name} = {field.given(f'clip(x + {field.read(str())})')}; return digest(); }}"
        )
        self.methods.append(Method("change", f"{self.name}.change", (("int", "x"),), "int"))

    def _method(self, index: int) -> None:
        ctx, dice = self.ctx, self.dice
        count = dice.choice([0, 1, 1, 2])
        parameters = [(dice.choice(_PARAMETERS), name) for name in ("x", "y")[:count]]
        self._written(f"m{index}", parameters, dice.choice(_RESULTS), constant=ctx.chance(0.15))

    def _written(
        self, name: str, parameters: list[tuple[str, str]], result: str, constant: bool, mark: str = ""
    ) -> None:
        ctx = self.ctx
        given = ", ".join(f"{type} {name}" for type, name in parameters)
        known = list(self.world.functions)
        if constant:
            self.world.functions = [f for f in known if f.name not in self.helpers]
        with ctx.block(f"{result} {name}({given}){' const' if constant else ''}"):
            # Others than the driver call virtual functions, too.
            ctx.write("if (--fuel < 0) return 0;" if name in self.overridden else f"fuel = {_FUEL};")
            self._enter(constant=constant)
            for type, parameter in parameters:
                self._known(type, parameter)
            self._body(self.dice.randrange(2, 7))
            self._return(result)
        self.world.functions = known
        self.methods.append(Method(name, f"{self.name}.{name}{mark}", tuple(parameters), result))

    def _known(self, type: str, parameter: str) -> None:
        if type == "Mode":
            value = self.ctx.fresh("k")
            self.ctx.write(f"int {value} = 0;")
            with self.ctx.block(f"switch ({parameter})"):
                self.ctx.write(f"case Mode::Slow: {value} = 3; break;")
                self.ctx.write(f"default: {value} = 11;")
            self.ctx.constants.append(value)
        elif type == "long long":
            value = self.ctx.fresh("k")
            self.ctx.write(f"const int {value} = clip({parameter});")
            self.ctx.constants.append(value)
        elif type == "int &":
            self.ctx.numbers.append(parameter)
        else:
            self.ctx.constants.append(parameter)

    def _return(self, result: str) -> None:
        ctx = self.ctx
        value = small(ctx)
        match result:
            case "void":
                ctx.write(f"event(7, {value});")
            case "bool":
                ctx.write(f"return {truth(number(ctx))};")
            case "Mode":
                ctx.write(f"return {truth(number(ctx))} ? Mode::Fast : Mode::Slow;")
            case "double":
                ctx.write(f"return {value} / 2.0;")
            case "char":
                ctx.write(f"return static_cast<char>({value} % 100);")
            case _:
                ctx.write(f"return static_cast<{result}>({value});")

    def _overloads(self) -> None:
        """Virtual functions as this class has them, and a name that means two functions."""
        for virtual in self.overridden:
            self._written(virtual, [("int", "x")], "int", constant=False)
        if self.ctx.chance(0.4):
            self.ctx.note("overloads")
            self._written("over", [("int", "x")], "int", constant=False, mark="<int>")
            self._written("over", [("bool", "x")], "int", constant=False, mark="<bool>")

    # ---- what can be seen

    def _seen(self) -> list[tuple[str, str]]:
        found = [(f.name, f"s.{f.name}", f) for c in self._with_bases(self.this) for f in c.fields]
        seen = [(name, text) for name, text, _ in found]
        for name, type in self.parts:
            seen += [(f"{name}.{f.name}", f"s.{name}.{f.name}") for f in type.fields]
        if self.row:
            seen += [(f"{self.row}[{i}]", f"s.{self.row}[{i}]") for i in range(3)]
        if self.counter:
            seen.append((f"{self.space}.{self.name}.{self.counter}", f"s.{self.counter}"))
        seen += [(f"{self.space}.{n}", f"{self.space}::{n}") for n in self.world.numbers]
        seen.append(("Item.alive", "Item::alive"))
        return seen

    def _with_bases(self, type: Class) -> list[Class]:
        return [type, *(c for b in type.bases for c in self._with_bases(b))]


_FUEL: Final = 25

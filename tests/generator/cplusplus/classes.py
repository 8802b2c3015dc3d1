"""Writes classes: fields, constructors, copying, destruction, inheritance, virtual functions, operators."""

from dataclasses import dataclass
from typing import Final, final

from tests.generator.cplusplus.world import LIMIT, Class, Context, Field, World

_TYPES: Final = (
    ("int", LIMIT), ("int", LIMIT), ("short", LIMIT), ("long long", LIMIT), ("unsigned char", 256), ("bool", 1),
    ("Mode", 10), ("double", LIMIT), ("signed char", 128), ("unsigned", LIMIT),
)  # fmt: skip
_VIRTUALS: Final = ("v0", "v1")
_OPERATORS: Final = ("+", "+=", "[]", "()", "==", "int", "bool", "++", "-", "<", "*", "=int")


@final
@dataclass(frozen=True, slots=True)
class _Member:
    """An object inside of another one."""

    name: str
    type: Class


@final
class ClassWriter:
    """Writes one class."""

    def __init__(self, world: World, space: str) -> None:
        self.world = world
        self.dice = world.dice
        self.ctx = Context(world)
        number = len(world.classes) + 1
        self.this = Class(f"K{number}", f"{space}K{number}", number)
        self.this.total, self.this.method = f"total{number}", f"change{number}"
        self.members: list[_Member] = []
        self.hidden: list[Field] = []
        self.has_counter = self.ctx.chance(0.3)
        self.errors = world.errors

    def write(self) -> str:
        """The text of the class, which the world then knows."""
        self._choose()
        keyword = self.dice.choice(["struct", "class"])
        bases = ", ".join(f"public {b.full}" for b in self.this.bases)
        ctx = self.ctx
        with ctx.block(f"{keyword} {self.this.name}" + (f" : {bases}" if bases else ""), "};"):
            if keyword == "class":
                ctx.depth -= 1
                ctx.write("public:")
                ctx.depth += 1
            self._fields()
            self._constructors()
            self._copies()
            self._end()
            self._functions()
            self._operators()
        self.world.classes.append(self.this)
        after = [f"int {self.this.full.rpartition('::')[2]}::count = 3;"] if self.has_counter else []
        return "\n".join(line.removeprefix("    ") for line in [*ctx.lines, *after])

    # ---- what it has

    def _choose(self) -> None:
        this, dice, ctx = self.this, self.dice, self.ctx
        known = [c for c in self.world.classes if not c.parts]
        for _ in range(dice.choice([0, 0, 1, 1, 2])):
            found = [c for c in known if not any(c.ancestors() & b.ancestors() for b in this.bases)]
            if found:
                this.bases.append(dice.choice(found))
        ctx.note(("no base", "single inheritance", "multiple inheritance")[len(this.bases)])
        for _ in range(dice.randrange(1, 4)):
            type, bound = dice.choice(_TYPES)
            self.hidden.append(Field(ctx.fresh("f"), type, bound))
        this.fields = [f for f in self.hidden if f.type != "const int"]
        whole = [c for c in known if not c.is_abstract]
        if whole and ctx.chance(0.4):
            self.members.append(_Member(ctx.fresh("part"), dice.choice(whole)))
            ctx.note("objects in objects")
        self._choose_virtuals()
        parts = [*this.bases, *(m.type for m in self.members)]
        this.throws = any(p.throws for p in parts)
        this.second = ctx.chance(0.6)
        this.empty = ctx.chance(0.7)
        this.virtual_end = any(b.virtual_end for b in this.bases) or (bool(this.virtuals) and ctx.chance(0.7))

    def _choose_virtuals(self) -> None:
        this = self.this
        inherited = [v for b in this.bases for v in b.virtuals]
        self.twice = {v for v in inherited if inherited.count(v) > 1}
        self.overridden = [v for v in dict.fromkeys(inherited) if v in self.twice or self.ctx.chance(0.6)]
        self.added = [v for v in _VIRTUALS if v not in inherited and self.ctx.chance(0.3)]
        this.virtuals = [*dict.fromkeys(inherited), *self.added]
        was_pure = {v for b in this.bases for v in b.pure}
        this.pure = [v for v in was_pure if v not in self.overridden]
        if self.added and not this.bases and self.ctx.chance(0.3):
            this.pure.append(self.added[0])
            self.ctx.note("abstract class")

    # ---- what is written

    def _fields(self) -> None:
        ctx = self.ctx
        self.defaulted: set[str] = set()
        if self.has_counter:
            ctx.write("static int count;")
            ctx.note("static member")
        for field in self.hidden:
            if ctx.chance(0.3):
                self.defaulted.add(field.name)
                ctx.note("default member initialiser")
                ctx.write(f"{field.type} {field.name} = {field.given(str(self.dice.randrange(90)))};")
            else:
                ctx.write(f"{field.type} {field.name};")
        for member in self.members:
            ctx.write(f"{member.type.full} {member.name};")

    def _constructors(self) -> None:
        ctx, this = self.ctx, self.this
        second = ", int b" + (f" = {self.dice.randrange(50)}" if ctx.chance(0.7) or not this.second else "")
        this.second = True
        optional = "=" in second
        first = "int a"
        delegating = this.empty and (not optional or ctx.chance(0.4))
        if this.empty and not delegating:
            first = f"int a = {self.dice.randrange(50)}"
        if not optional:
            with ctx.block(f"{this.name}(int a) : {this.name}(a, {self.dice.randrange(40)})"):
                ctx.write(f"event({this.number}02, a);")
                self._maybe_throw("a", 7)
            ctx.note("delegating constructor")
        if delegating:
            with ctx.block(f"{this.name}() : {this.name}({self.dice.randrange(40)})"):
                ctx.write(f"event({this.number}03, {this.total}());")
            ctx.note("delegating constructor")
        starts = [f"{b.full}({self._argument()})" for b in this.bases]
        later = []
        for field in self.hidden:
            if field.name not in self.defaulted or ctx.chance(0.3):
                if ctx.chance(0.8):
                    starts.append(
                        f"{field.name}{self.dice.choice(['({})', '{{{}}}']).format(field.given('clip(a + b)'))}"
                    )
                else:
                    later.append(f"{field.name} = {field.given('b')};")
        for member in self.members:
            if not member.type.empty or ctx.chance(0.7):
                starts.append(f"{member.name}{self.dice.choice(['({})', '{{{}}}']).format(self._argument())}")
        with ctx.block(f"{this.name}({first}{second})" + (" : " + ", ".join(starts) if starts else "")):
            for line in later:
                ctx.write(line)
            if self.has_counter:
                ctx.write("count++;")
            ctx.write(f"event({this.number}01, clip(a * 7 + b));")
            self._from_inside(4)
            self._maybe_throw("a + b", self.dice.choice([3, 5, 7]))
        ctx.note("initialiser list")

    def _argument(self) -> str:
        return self.dice.choice(["a", "b", "clip(a + 1)", "clip(a + b)", "event(9, b)", "clip(b - a)"])

    def _maybe_throw(self, value: str, divisor: int) -> None:
        if self.ctx.chance(0.3) and self.errors:
            self.this.throws = True
            self.ctx.note("throw in a constructor")
            error = self.dice.choice(self.errors)
            self.ctx.write(f"if (({value}) % {divisor} == 1) throw {error}(clip({value}));")

    def _from_inside(self, code: int) -> None:
        """Virtual functions as they are while the object is made or destroyed."""
        callable = [v for v in self.this.virtuals if v not in self.this.pure and v not in self.twice]
        if callable and self.ctx.chance(0.7):
            self.ctx.write(f"event({self.this.number}0{code}, {self.dice.choice(callable)}(1));")
            self.ctx.note("virtual call while an object is made or destroyed")

    def _copies(self) -> None:
        ctx, this = self.ctx, self.this
        parts = [*this.bases, *(m.type for m in self.members)]
        copied, moved = all(p.copied for p in parts), all(p.moved for p in parts)
        assigned = all(p.assigned for p in parts)
        kind = self.dice.choice(
            ["left", "left", "written", "written", "written", "both", "moved only", "default", "none"]
        )
        if kind == "moved only" and not moved:
            kind = "none"
        ctx.note({"left": "copies left to the compiler", "none": "objects that stay"}.get(kind, f"copies: {kind}"))
        self.kind = kind
        this.copied, this.moved, this.assigned = copied, copied, assigned
        this.copies_written = kind in ("written", "both")
        match kind:
            case "left":
                pass
            case "default" if copied and assigned:
                ctx.write(f"{this.name}(const {this.name} &) = default;")
                ctx.write(f"{this.name} &operator=(const {this.name} &) = default;")
            case "default" | "none":
                ctx.write(f"{this.name}(const {this.name} &) = delete;")
                ctx.write(f"{this.name} &operator=(const {this.name} &) = delete;")
                this.copied = this.moved = this.assigned = False
            case "written":
                self._copy(moving=False, whole=copied)
                self._assign(moving=False, whole=assigned)
                this.copied = this.moved = this.assigned = True
            case "both":
                for moving in (False, True):
                    self._copy(moving=moving, whole=moved if moving else copied)
                    self._assign(moving=moving, whole=assigned)
                this.copied = this.moved = this.assigned = True
            case _:
                self._copy(moving=True, whole=True)
                self._assign(moving=True, whole=assigned)
                this.copied, this.moved, this.assigned = False, True, False

    def _copy(self, moving: bool, whole: bool) -> None:
        ctx, this = self.ctx, self.this
        other = f"{this.name} &&o" if moving else f"const {this.name} &o"
        starts = []
        for base in this.bases:
            given = f"static_cast<{this.name} &&>(o)" if moving else "o"
            starts.append(f"{base.full}({given if whole else 8})")
        starts += [f"{f.name}(o.{f.name})" for f in self.hidden]
        for member in self.members:
            given = f"static_cast<{member.type.full} &&>(o.{member.name})" if moving else f"o.{member.name}"
            starts.append(f"{member.name}({given if whole else 9})")
        with ctx.block(f"{this.name}({other}) : " + ", ".join(starts)):
            ctx.write(f"event({this.number}{'06' if moving else '05'}, {this.total}());")
            if moving:
                ctx.write(f"o.{self.hidden[0].name} = {self.hidden[0].given('0')};")
        if not whole and any(p.throws for p in [*this.bases, *(m.type for m in self.members)]):
            this.throws = True

    def _assign(self, moving: bool, whole: bool) -> None:
        ctx, this = self.ctx, self.this
        other = f"{this.name} &&o" if moving else f"const {this.name} &o"
        with ctx.block(f"{this.name} &operator=({other})"):
            ctx.write(f"event({this.number}{'08' if moving else '07'}, {this.total}());")
            if whole and this.bases and ctx.chance(0.7):
                ctx.write(f"{this.bases[0].full}::operator=(o);")
            for field in self.hidden:
                ctx.write(f"{field.name} = o.{field.name};")
            ctx.write("return *this;")

    def _end(self) -> None:
        ctx, this = self.ctx, self.this
        virtual = "virtual " if this.virtual_end and not any(b.virtual_end for b in this.bases) else ""
        if ctx.chance(0.75):
            ctx.note("virtual destructor" if this.virtual_end else "destructor")
            with ctx.block(f"{virtual}~{this.name}()"):
                ctx.write(f"event({this.number}09, {this.total}());")
                self._from_inside(9)
        elif virtual:
            ctx.write(f"virtual ~{this.name}() = default;")
            ctx.note("virtual destructor by default")

    def _functions(self) -> None:
        ctx, this = self.ctx, self.this
        parts = [f.read("") for f in self.hidden]
        parts += [f"{m.name}.{m.type.total}()" for m in self.members]
        parts += [f"{b.total}()" for b in this.bases]
        ctx.write(f"int {this.total}() const {{ return clip({' + '.join(parts)}); }}")
        field = self.hidden[0]
        with ctx.block(f"int {this.method}(int x)"):
            ctx.write(f"{field.name} = {field.given('clip(x + ' + self.dice.choice(parts) + ')')};")
            ctx.write(f"return clip({this.total}() - x);")
        if ctx.chance(0.4):
            ctx.note("overloads")
            ctx.write(f"int {this.method}(double x) const {{ return {this.total}() % 50 + static_cast<int>(x); }}")
        for name in [*self.overridden, *self.added]:
            self._virtual(name)
        if ctx.chance(0.35):
            self._with_lambda()

    def _virtual(self, name: str) -> None:
        ctx, this = self.ctx, self.this
        new = name in self.added
        if name in this.pure:
            ctx.write(f"virtual int {name}(int x) = 0;")
            return
        ctx.note("virtual functions")
        above = [b for b in this.bases if name in b.virtuals and name not in b.pure]
        body = f"{this.total}()"
        if above and ctx.chance(0.5):
            body = f"{above[0].full}::{name}(x) * 2 + {body}"
        mark = "" if new else " override"
        with ctx.block(f"{'virtual ' if new else ''}int {name}(int x){mark}"):
            if ctx.chance(0.4):
                ctx.write(f"event({this.number}10, x);")
            ctx.write(f"return clip({body} + x * {self.dice.randrange(2, 9)});")

    def _with_lambda(self) -> None:
        ctx, this = self.ctx, self.this
        field = self.hidden[-1]
        copy = this.copied and not this.is_abstract and ctx.chance(0.3)
        ctx.note("lambda with *this" if copy else "lambda with this")
        with ctx.block(f"int inner{this.number}(int x)"):
            with ctx.block(
                f"auto inside = [{'*this, x' if copy else self.dice.choice(['this, x', '=, this', '&'])}](int y)", "};"
            ):
                if not copy:
                    ctx.write(f"{field.name} = {field.given('clip(x + y)')};")
                ctx.write(f"return clip({self.dice.choice(['this->', ''])}{this.total}() + y + x);")
            ctx.write(f"return inside(3) - {field.read('this->')};")
        this.operators.add("inner")

    def _operators(self) -> None:
        ctx, this = self.ctx, self.this
        name, total, field = this.name, this.total, self.hidden[0]
        chosen = self.dice.sample(_OPERATORS, self.dice.randrange(5))
        given = field.given(f"clip({field.read('')} + {{}})")
        sum_of = given.format(f"o.{total}()")
        written = {
            "+": f"{name} operator+(const {name} &o) const {{ return {name}(clip({total}() + o.{total}())); }}",
            "+=": f"{name} &operator+=(const {name} &o) {{ {field.name} = {sum_of}; return *this; }}",
            "[]": f"{field.type} &operator[](int i) {{ event({this.number}11, i); return {field.name}; }}",
            "()": f"int operator()(int x, int y = 3) {{ event({this.number}12, x); return clip({total}() + x * y); }}",
            "==": f"friend bool operator==(const {name} &x, const {name} &y) {{ return x.{total}() == y.{total}(); }}",
            "int": f"explicit operator int() const {{ event({this.number}13, 1); return {total}(); }}",
            "bool": f"explicit operator bool() const {{ event({this.number}14, 1); return {total}() % 2 == 0; }}",
            "++": f"{name} &operator++() {{ {field.name} = {given.format(1)}; return *this; }}",
            "-": f"{name} operator-() const {{ return {name}{{-{total}()}}; }}",
            "<": f"bool operator<(const {name} &o) const {{ return {total}() < o.{total}(); }}",
            "*": f"{field.type} &operator*() {{ return {field.name}; }}",
            "=int": f"{name} &operator=(int x) {{ {field.name} = {field.given('clip(x)')}; return *this; }}",
        }
        for operator in chosen:
            if operator in ("+", "-") and this.is_abstract:
                continue
            if (operator == "int" and "bool" in this.operators) or (operator == "bool" and "int" in this.operators):
                continue
            ctx.note(f"operator {operator}")
            ctx.write(written[operator])
            this.operators.add(operator)

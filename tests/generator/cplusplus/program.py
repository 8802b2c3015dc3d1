"""Puts a C++ program together: classes, templates, functions, and a main that catches what is thrown."""

import random
from typing import Final, final

from tests.generator.cplusplus.classes import ClassWriter
from tests.generator.cplusplus.expressions import made, small
from tests.generator.cplusplus.statements import statements
from tests.generator.cplusplus.world import Class, Context, Function, Level, Variable, World
from tests.generator.program import Generated

_FUEL: Final = 60

BEGINNING: Final = """extern "C" void observe(long long value) noexcept;

static bool over = false;
static int fuel = %d;
constexpr int clip(long long value) { return static_cast<int>(value %% 1000); }
static int event(int code, int value) {
    if (!over) observe(code * 10000LL + value);
    return value;
}
enum class Mode : signed char { Slow = 1, Fast = 7 };
struct Pair {
    int first;
    short second;
};

template <class T> constexpr T &&moved(T &x) { return static_cast<T &&>(x); }
template <class T> T larger(T a, T b) { return a < b ? b : a; }
template <int N> int scaled(int x) { return x * N; }
template <class... Ts> int sum(Ts... values) { return static_cast<int>((0 + ... + values)); }
template <class T> int chain(T last) { return static_cast<int>(last); }
template <class T, class... Ts> int chain(T first, Ts... rest) {
    if constexpr (sizeof...(rest) > 1) event(15, static_cast<int>(sizeof...(rest)));
    return static_cast<int>(first) + chain(rest...);
}
template <class F, class... Ts> int each(F f, const Ts &...values) { return (0 + ... + f(values)); }
template <class F> int applied(F &f, int x) { return f(f(x)); }
template <class T, int N> struct Holder {
    T value;
    int rest[N];
    Holder(int x) : value(x), rest{} { event(16, N); }
    T &get() { return value; }
    const T &get() const { return value; }
    int weight() const;
};
template <class T, int N> int Holder<T, N>::weight() const { return N * rest[N - 1] + static_cast<int>(sizeof(T)); }

struct Place {
    int at;
    bool operator!=(const Place &o) const { return at != o.at; }
    Place &operator++() {
        ++at;
        return *this;
    }
    int operator*() const { return event(17, at); }
};
struct Span {
    int size;
    explicit Span(int n) : size(n) { event(18, n); }
    ~Span() { event(19, size); }
    Place begin() const { return {0}; }
    Place end() const { return Place{size}; }
};
"""

CPLUSPLUS_FEATURES: Final = frozenset(
    {
        "&& and ||", "abstract class", "aggregate with an object", "array of new objects", "array of objects",
        "assignment of objects", "break and continue", "calls in the condition of a loop", "capture by copy",
        "capture by reference", "capture of an object by copy", "captures left to the compiler", "catch by reference",
        "catch by value", "catch-all", "class template", "condition that declares", "conditional temporaries",
        "construction in braces", "copies left to the compiler", "copies: both", "copies: default",
        "copies: moved only", "copies: written", "default member initialiser", "delegating constructor",
        "delete through a base", "destructor", "dynamic_cast", "early return", "enum class", "fall-through",
        "function template", "generic lambda", "global object", "handler that leaves a loop", "handler that returns",
        "if with an initialiser", "init-capture", "initialiser list", "lambda as a pointer to a function",
        "lambda as an argument", "lambda with *this", "lambda with this", "lifetime extension",
        "lifetime extension by a field", "loop whose condition declares", "loop whose condition declares an object",
        "moved objects", "multiple inheritance", "namespace", "nested lambda", "new and delete", "no base",
        "objects in objects", "objects that stay", "operator ()", "operator *", "operator +",
        "operator ++", "operator +=", "operator -", "operator <", "operator =int", "operator ==", "operator []",
        "operator bool", "operator int", "overloads", "pointer to a field", "pointer to an object", "range-for",
        "reference", "reference to a base", "result made where it is wanted", "rethrow", "single inheritance",
        "static local", "static member", "static_cast to a derived class", "structured binding",
        "structured binding of objects", "switch with an initialiser", "temporary", "throw", "throw in a constructor",
        "throw in a handler", "variadic template", "virtual call while an object is made or destroyed",
        "virtual destructor", "virtual destructor by default", "virtual functions",
    }
)  # fmt: skip

LIBRARY_FEATURES: Final = frozenset(
    {
        "library: array", "library: deque", "library: function", "library: list", "library: lists, pairs and tuples",
        "library: map", "library: map of objects", "library: objects", "library: optional", "library: optional number",
        "library: set", "library: shared", "library: string", "library: unique", "library: variant", "library: vector",
        "nested lambda with this", "noexcept", "overloads", "patterns", "pointer as a field", "reference as a field",
    }
)  # fmt: skip
"""What classes that are looked at have besides."""


@final
class ProgramWriter:
    """The program being written."""

    def __init__(self, seed: int, size: int) -> None:
        self.world = World(random.Random(seed))
        self.dice = self.world.dice
        self.size = size

    def generate(self) -> Generated:
        parts = [BEGINNING % _FUEL, self._errors()]
        for _ in range(2 + self.size // 10):
            parts.append(self._class())
        if not any(not c.is_abstract for c in self.world.classes):
            return ProgramWriter(self.dice.randrange(2**30), self.size).generate()
        parts.append(self._aggregate())
        parts.append(self._globals())
        for number in range(2 + self.size // 12):
            parts.append(self._function(number))
        parts.append(self._main())
        return Generated({"program.cpp": "\n".join(parts) + "\n"}, frozenset(self.world.features))

    def surroundings(self, classes: int, functions: int) -> str:
        """Classes, numbers and functions without a `main`."""
        parts = [self._errors()]
        while len(self.world.classes) < classes or all(c.is_abstract for c in self.world.classes):
            parts.append(self._class())
        parts.append(self._aggregate())
        self.world.numbers += ["number0", "number1"]
        parts.append("\n".join(f"int {n} = {self.dice.randrange(100)};" for n in self.world.numbers))
        parts += [self._function(number) for number in range(functions)]
        return "\n".join(parts)

    def _errors(self) -> str:
        self.world.errors = ["Error", "Worse", "Worst"]
        traced = self.dice.random() < 0.6
        lines = ["struct Error {", "    int code;", "    Error(int c) : code(c) { event(70, c); }"]
        if traced:
            lines += ["    Error(const Error &o) : code(o.code) { event(71, code); }"]
            lines += ["    virtual ~Error() { event(72, code); }"]
        else:
            lines += ["    virtual ~Error() = default;"]
        lines += ["    virtual int kind() const { return 1; }", "};"]
        between = self.dice.random() < 0.5
        if between:
            lines += ["struct Tag {", "    int tag = 5;", "    ~Tag() { event(73, tag); }", "};"]
        lines += [f"struct Worse : {'Tag, ' if between else ''}Error {{", "    Worse(int c) : Error(c + 1) {}"]
        lines += ["    int kind() const override { return 2; }", "};"]
        lines += ["struct Worst : Worse {"]
        lines += ["    Worst(int c) : Worse(c) {}", "    int kind() const override { return Worse::kind() + 5; }", "};"]
        lines += ["static const Error *const nowhere = nullptr;", ""]
        return "\n".join(lines)

    def _class(self) -> str:
        if self.dice.random() < 0.3:
            self.world.features.add("namespace")
            space = f"space{len(self.world.classes)}"
            text = ClassWriter(self.world, f"{space}::").write()
            return f"namespace {space} {{\n{text}\n}}\n"
        return ClassWriter(self.world, "").write() + "\n"

    def _aggregate(self) -> str:
        """A plain struct around an object."""
        inner = self.dice.choice([c for c in self.world.classes if not c.is_abstract])
        number = len(self.world.classes) + 1
        made = Class(f"G{number}", f"G{number}", number, bases=[inner], parts=["inner", "extra"])
        self.world.classes.append(made)
        return f"struct G{number} {{\n    {inner.full} inner;\n    int extra = 6;\n}};\n"

    def _globals(self) -> str:
        lines = []
        for number in range(2):
            lines.append(f"int number{number} = {self.dice.randrange(100)};")
            self.world.numbers.append(f"number{number}")
        calm = [c for c in self.world.classes if not c.is_abstract and not c.throws and not c.parts]
        for type in self.dice.sample(calm, min(len(calm), 2)):
            name = self.world.fresh("global")
            lines.append(f"{self.dice.choice(['', 'static '])}{type.full} {name}({self.dice.randrange(100)});")
            self.world.globals.append(Variable(name, type))
            self.world.features.add("global object")
        return "\n".join(lines) + "\n"

    def _function(self, number: int) -> str:
        dice, world = self.dice, self.world
        known = [c for c in world.classes if not c.parts]
        whole = [c for c in known if not c.is_abstract]
        kind = dice.choice(["number", "taking", "taking", "making", "making", "referring"])
        ctx = Context(world)
        ctx.left = max(3, self.size // 4)
        name = f"fun{number}"
        taken = result = None
        passing = ""
        ctx.constants.append("x")
        if kind == "taking":
            passing = dice.choice(["value", "reference", "constant", "pointer", "moved"])
            movable = [c for c in whole if c.copied]
            taken = dice.choice(movable if passing == "value" and movable else whole if passing == "value" else known)
            star = {"value": "", "reference": "&", "constant": "&", "pointer": "*", "moved": "&&"}[passing]
            head = f"int {name}(int x, {'const ' if passing == 'constant' else ''}{taken.full} {star}k)"
            text = "(*k)" if passing == "pointer" else "k"
            if passing == "moved" and taken.is_abstract:
                head, passing = head.replace("&&", "&"), "reference"
            ctx.objects.append(Variable(text, taken, passing == "constant"))
        elif kind == "making":
            result = dice.choice(whole)
            head = f"{result.full} {name}(int x)"
        else:
            head = f"int {name}(int x)"
        ctx.returns = "return" if result is None else ""
        ctx.depth = 0
        with ctx.block(head):
            if result is None:
                ctx.write("if (--fuel < 0) return 0;")
            self._body(ctx, result)
        world.functions.append(Function(name, taken, passing, result))
        return "\n".join(ctx.lines) + "\n"

    def _body(self, ctx: Context, result: Class | None) -> None:
        if result is None:
            statements(ctx, ctx.left)
            ctx.write(f"return {small(ctx)};")
            return
        if result.moved and ctx.chance(0.5):
            ctx.note("result made where it is wanted")
            ctx.write(f"{result.full} made({small(ctx)});")
            ctx.objects.append(Variable("made", result))
            statements(ctx, ctx.left // 2)
            if ctx.chance(0.3):
                ctx.write(f"if ({small(ctx, Level.READING)} > 20) return made;")
            if ctx.chance(0.2):
                ctx.write(f"if ({small(ctx, Level.READING)} > 20) return {made(ctx, result)};")
            ctx.write("return made;")
            return
        statements(ctx, ctx.left // 2)
        ctx.write(f"return {made(ctx, result)};")

    def _main(self) -> str:
        ctx = Context(self.world)
        ctx.depth = 0
        with ctx.block("static int run()"):
            ctx.write("int x = 2;")
            ctx.numbers.append("x")
            ctx.left = self.size
            ctx.returns = "return"
            statements(ctx, self.size)
            for function in self.world.functions:
                if function.taken is None:
                    tail = "" if function.result is None else f".{function.result.total}()"
                    ctx.write(f"event(80, {function.name}({small(ctx)}){tail});")
            ctx.write(f"return {small(ctx)};")
        with ctx.block("int main()"):
            ctx.write("int status = 0;")
            with ctx.block("for (int round = 0; round < 3; round++)"):
                ctx.write(f"fuel = {_FUEL};")
                with ctx.block("try"):
                    ctx.write("status += run();")
                with ctx.block("catch (const Error &e)"):
                    ctx.write("event(81, clip(e.code) + e.kind());")
                with ctx.block("catch (int e)"):
                    ctx.write("event(82, e);")
                with ctx.block("catch (...)"):
                    ctx.write("event(83, 0);")
            for variable in self.world.globals:
                ctx.write(f"event(84, {variable.text}.{variable.type.total}());")
            ctx.write("over = true;")
            ctx.write("return status & 127;")
        return "\n".join(ctx.lines)


def generate_cplusplus(seed: int, size: int = 30, *, open_orders: bool = False) -> Generated:
    """A closed C++20 program; what it does is neither undefined nor left open, but for copies that are left out as
    g++ does, and with `open_orders` for what is evaluated first. It calls `observe`, which it does not define, and
    returns a status from 0 to 127."""
    writer = ProgramWriter(seed, size)
    writer.world.open_orders = open_orders
    return writer.generate()

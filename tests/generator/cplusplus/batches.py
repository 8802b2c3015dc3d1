"""Several classes to look at in one file, sequences of calls for each, and a driver that makes the same calls."""

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final, final

from tests.generator.cplusplus.idioms import PATTERNS
from tests.generator.cplusplus.program import BEGINNING, ProgramWriter
from tests.generator.cplusplus.subjects import VALUES, Method, Subject, SubjectWriter

_HEADERS: Final = (
    "algorithm", "array", "deque", "functional", "list", "map", "memory", "new", "numeric", "optional",
    "queue", "set", "stack", "stdexcept", "string", "string_view", "tuple", "type_traits", "typeinfo", "unordered_map",
    "utility", "variant", "vector",
)  # fmt: skip

_LIBRARY: Final = """
constexpr int low(int value, unsigned long long size) { return static_cast<int>((value < 0 ? -value : value) % size); }
struct Item {
    inline static int alive = 0;
    int n;
    Item(int x = 0, int y = 0) : n(clip(x + y)) {
        if (n % 11 == 10) throw std::runtime_error("item");
        ++alive;
    }
    Item(const Item &o) : n(o.n) { ++alive; }
    Item(Item &&o) noexcept : n(o.n) {
        o.n = 5;
        ++alive;
    }
    Item &operator=(const Item &) = default;
    ~Item() { --alive; }
    int total() const { return n; }
    int change(int x) { return n = clip(n * 2 + x); }
};
template <class C, class F> int summed(const C &values, F f) {
    long long sum = static_cast<long long>(values.size());
    for (const auto &value : values) sum = sum * 3 % 1000000 + f(value);
    return clip(sum);
}
static int listed(std::initializer_list<int> values) {
    int sum = 0;
    for (int value : values) sum = clip(sum * 2 + value);
    return sum;
}
template <class... F> struct Overloaded : F... {
    using F::operator()...;
};
template <class... F> Overloaded(F...) -> Overloaded<F...>;
"""

_DRIVER: Final = """
#include <cstdio>
#include <cstdlib>
#include <cxxabi.h>
#include <sys/wait.h>
#include <typeinfo>
#include <unistd.h>

extern "C" void observe(long long value) noexcept { std::printf("call(observe, %lld)\\n", value); }
static void text(bool x) { std::printf("%s", x ? "true" : "false"); }
static void text(Mode x) { std::printf("%s", x == Mode::Slow ? "Slow" : x == Mode::Fast ? "Fast" : "?"); }
static void text(double x) { std::printf("%.1f", x); }
template <class T> static void text(T x) { std::printf("%lld", static_cast<long long>(x)); }
static void threw(const char *name) {
    int status = 0;
    const char *type = abi::__cxa_current_exception_type()->name();
    std::printf("throw(%s, %s)\\n", name, abi::__cxa_demangle(type, nullptr, nullptr, &status));
}
template <class T> static void shown(const char *name, T x) {
    std::printf("%s=", name);
    text(x);
    std::printf("\\n");
}
static void alone(void (*run)()) {
    std::fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        std::setvbuf(stdout, nullptr, _IOLBF, 4096);
        std::set_terminate([] { std::printf("terminated\\n"); std::fflush(stdout); std::_Exit(3); });
        run();
        std::fflush(stdout);
        std::_Exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) std::printf("signal %d\\n", WTERMSIG(status));
    std::printf("end\\n");
}
"""


@final
@dataclass(frozen=True, slots=True)
class Call:
    """One call: the function, and its arguments as actions show them."""

    method: Method
    arguments: tuple[str, ...]

    @property
    def text(self) -> str:
        given = zip(self.arguments, self.method.parameters, strict=True)
        shown = [f"&{name}={value}" if type.endswith("&") else value for value, (type, name) in given]
        return f"call({', '.join([self.method.shown, *shown])})"


@final
@dataclass(frozen=True, slots=True)
class Sequence:
    """How an object is made, and what is called then."""

    making: Call
    calls: tuple[Call, ...]


@final
@dataclass(frozen=True, slots=True)
class Looked:
    """A class that is looked at, in a namespace of its own, and sequences of calls."""

    seed: int
    space: str
    subject: Subject
    sequences: tuple[Sequence, ...]


@final
@dataclass(frozen=True, slots=True)
class Batch:
    """A file with classes, and the driver that stands behind it."""

    text: str
    driver: str
    looked: tuple[Looked, ...]
    features: frozenset[str]


@final
@dataclass(frozen=True, slots=True)
class Extent:
    """How much is generated for a seed."""

    sequences: int
    calls: int
    size: int


def generate_batch(seeds: Iterable[int], extent: Extent) -> Batch:
    """For each seed a class, and sequences of calls; what is generated for one does not depend on the others."""
    parts = ["".join(f"#include <{header}>\n" for header in _HEADERS), BEGINNING % 60, _LIBRARY, PATTERNS]
    found: list[Looked] = []
    features: set[str] = set()
    for seed in seeds:
        text, looked, noted = _one(seed, extent)
        parts.append(text)
        found.append(looked)
        features |= noted
    return Batch("\n".join(parts) + "\n", _driver(found), tuple(found), frozenset(features))


def batch_of(batch: Batch, looked: Looked, sequences: Iterable[Sequence]) -> Batch:
    """The same file with other sequences of calls of one of its classes."""
    only = [replace(looked, sequences=tuple(sequences))]
    return replace(batch, driver=_driver(only), looked=tuple(only))


def _driver(found: list[Looked]) -> str:
    runs = [_run(looked, number) for looked in found for number in range(len(looked.sequences))]
    return "\n".join([_DRIVER, *map(_show, found), *runs, _main(found)])


def _one(seed: int, extent: Extent) -> tuple[str, Looked, set[str]]:
    writer = ProgramWriter(seed, extent.size)
    world = writer.world
    world.library = True
    space, name = f"w{seed}", f"S{seed}"
    around = writer.surroundings(2 + extent.size // 10, 1 + extent.size // 15)
    text, subject = SubjectWriter(world, name, space).write()
    choose = random.Random(seed)
    sequences = tuple(
        Sequence(
            _call(subject.constructor, choose),
            tuple(_call(choose.choice(subject.methods), choose) for _ in range(extent.calls)),
        )
        for _ in range(extent.sequences)
    )
    whole = f"namespace {space} {{\n{around}\n{text}\n}}\n"
    return whole, Looked(seed, space, subject, sequences), world.features


def _call(method: Method, choose: random.Random) -> Call:
    return Call(method, tuple(choose.choice(VALUES[type]) for type, _ in method.parameters))


def _show(looked: Looked) -> str:
    """A function that prints the numbers of an object."""
    shown = "".join(f'    shown("{name}", {text});\n' for name, text in looked.subject.fields)
    return f"static void show_{looked.space}({looked.space}::{looked.subject.name} &s) {{\n{shown}}}"


def _run(looked: Looked, number: int) -> str:
    """A function that makes the calls of a sequence."""
    space, subject, sequence = looked.space, looked.subject, looked.sequences[number]
    lines: list[str] = []
    making = sequence.making
    lines += [f"static void run_{space}_{number}() {{", f"    {space}::{subject.name} *made = nullptr;"]
    lines += [f'    std::printf("%s\\n", "{making.text}");', "    try {"]
    lines += [f"        made = new {space}::{subject.name}({_arguments(making)});"]
    lines += [f'        std::printf("return({making.method.shown})\\n");', "    } catch (...) {"]
    lines += [f'        threw("{making.method.shown}");', "    }", "    if (!made) return;"]
    lines += [f"    {space}::{subject.name} &s = *made;", f"    show_{space}(s);"]
    for call in sequence.calls:
        lines += [
            f'    std::printf("%s\\n", "{call.text}");',
            "    {",
            *_called(call),
            "    }",
            f"    show_{space}(s);",
        ]
    return "\n".join([*lines, "}"])


def _called(call: Call) -> Iterator[str]:
    """A call whose end is printed, with what it leaves behind references."""
    method = call.method
    behind = [
        (name, a) for a, (type, name) in zip(call.arguments, method.parameters, strict=True) if type.endswith("&")
    ]
    for name, value in behind:
        yield f"        int {name} = {value};"
    done = f"s.{method.name}({_arguments(call)})"
    yield "        try {"
    if method.result == "void":
        yield f"            {done};"
        yield f'            std::printf("return({method.shown}");'
    else:
        yield f"            auto result = {done};"
        yield f'            std::printf("return({method.shown}, ");'
        yield "            text(result);"
    for name, _ in behind:
        yield f'            std::printf(", &{name}=%d", {name});'
    yield '            std::printf(")\\n");'
    yield "        } catch (...) {"
    yield f'            threw("{method.shown}");'
    yield "        }"


def _arguments(call: Call) -> str:
    given = zip(call.arguments, call.method.parameters, strict=True)
    return ", ".join(_argument(value, type, name) for value, (type, name) in given)


def _argument(value: str, type: str, name: str) -> str:
    if type.endswith("&"):
        return name
    return f"Mode::{value}" if type == "Mode" else f"static_cast<{type}>({value})"


def _main(found: list[Looked]) -> str:
    runs = [f"    alone(run_{looked.space}_{n});" for looked in found for n in range(len(looked.sequences))]
    return "\n".join(["int main() {", *runs, "}", ""])

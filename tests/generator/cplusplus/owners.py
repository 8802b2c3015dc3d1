"""Writes what is done with what holds at most one object: owners, optionals, variants, functions."""

from collections.abc import Iterator
from typing import Final

from tests.generator.cplusplus.expressions import construction
from tests.generator.cplusplus.world import Class, Container, Context

OWNERS: Final = ("unique", "unique", "shared", "optional", "optional number", "variant", "function")


def owner_type(ctx: Context, name: str, kind: str) -> tuple[str, Container]:
    """The type of a new one that holds nothing, or a number, and what is known of it."""
    whole = [c for c in ctx.world.classes if not c.is_abstract and not c.parts]
    if kind == "function":
        return "std::function<int(int)>", Container(name, kind)
    if kind == "unique":
        bases = [c for c in ctx.world.classes if not c.parts and (c.virtual_end or c in whole)]
        element = ctx.dice.choice(bases)
        return f"std::unique_ptr<{element.full}>", Container(name, kind, element)
    if kind == "shared":
        element = ctx.dice.choice(whole)
        return f"std::shared_ptr<{element.full}>", Container(name, kind, element)
    fitting = [c for c in whole if c.moved and c.assigned]
    if kind == "optional number" or not fitting:
        return "std::optional<int>", Container(name, "optional number")
    element = ctx.dice.choice(fitting)
    if kind == "optional":
        return f"std::optional<{element.full}>", Container(name, kind, element)
    return f"std::variant<int, {element.full}, std::string>", Container(name, kind, element)


def owner_sum(container: Container) -> str:
    text, element = container.text, container.element
    match container.kind:
        case "unique" | "shared" | "optional":
            assert element is not None
            return f"({text} ? {text}->{element.total}() : -1)"
        case "optional number":
            return f"{text}.value_or(-1)"
        case "variant":
            assert element is not None
            return f"static_cast<int>({text}.index())"
        case _:
            return f"static_cast<int>({text} != nullptr)"


def owner_operations(ctx: Context, container: Container, q: str) -> Iterator[str]:
    match container.kind:
        case "unique":
            yield from _unique(ctx, container, q)
        case "shared":
            yield from _shared(container, q)
        case "optional":
            yield from _optional(ctx, container, q)
        case "optional number":
            yield from _optional_number(container, q)
        case "variant":
            yield from _variant(container, q)
        case _:
            yield from _function(ctx, container, q)


def _derived(ctx: Context, base: Class) -> list[Class]:
    """What an owner of a base may own."""
    found = [c for c in ctx.world.classes if base.number in c.ancestors() and not c.is_abstract and not c.parts]
    return found if base.virtual_end else [c for c in found if c is base]


def _unique(ctx: Context, container: Container, q: str) -> Iterator[str]:
    t, element = container.text, container.element
    assert element is not None
    yield f"{t}.reset();"
    yield f"event(90, {t} == nullptr);"
    yield f"if ({t}) event(91, {t}->{element.method}({q}));"
    yield f"{{ auto c = std::move({t}); event(92, !{t}); {t} = std::move(c); }}"
    yield f"if (auto *p = {t}.release()) {{ event(93, p->{element.total}()); delete p; }}"
    yield f"{t} = nullptr;"
    for virtual in element.virtuals[:1]:
        yield f"if ({t}) event(91, {t}->{virtual}({q}));"
    for derived in _derived(ctx, element)[:2]:
        yield f"{t} = std::make_unique<{derived.full}>({q});"
        yield f"{t}.reset(new {derived.full}({q}, 4));"
        yield f"{t} = std::unique_ptr<{derived.full}>(new {derived.full}{{{q}, 2}});"


def _shared(container: Container, q: str) -> Iterator[str]:
    t, element = container.text, container.element
    assert element is not None
    yield f"{t} = std::make_shared<{element.full}>({q});"
    yield f"{t}.reset(new {element.full}({q}));"
    yield f"{t}.reset();"
    yield f"{{ auto c = {t}; event(90, c.use_count()); if (c) event(91, c->{element.method}({q})); }}"
    yield f"{{ std::weak_ptr<{element.full}> w = {t}; {t}.reset(); event(92, w.expired()); }}"
    yield f"{{ auto c = std::move({t}); {t} = c; event(93, {t}.use_count()); }}"
    yield f"{{ std::weak_ptr<{element.full}> w = {t}; if (auto c = w.lock()) event(94, c->{element.total}()); }}"


def _optional(ctx: Context, container: Container, q: str) -> Iterator[str]:
    t, element = container.text, container.element
    assert element is not None
    yield f"{t}.emplace({q});"
    yield f"{t}.reset();"
    yield f"{t} = std::nullopt;"
    yield f"{t} = {construction(ctx, element, 0)};"
    yield f"event(90, {t}.value().{element.method}({q}));"
    yield f"if ({t}) event(91, {t}->{element.method}({q}));"
    yield f"{{ auto c = std::move({t}); event(92, c.has_value() + 2 * {t}.has_value()); }}"
    if element.copied:
        yield f"event(93, {t}.value_or({element.full}({q})).{element.total}());"


def _optional_number(container: Container, q: str) -> Iterator[str]:
    t = container.text
    yield f"{t} = {q};"
    yield f"{t}.reset();"
    yield f"event(90, {t}.value());"
    yield f"if ({t}) *{t} = clip(*{t} + {q});"
    yield f"event(91, {t} == {q});"
    yield f"{{ auto c = {t}; {t} = std::nullopt; if (c) {t} = *c / 2; }}"


def _variant(container: Container, q: str) -> Iterator[str]:
    t, element = container.text, container.element
    assert element is not None
    yield f"{t} = {q};"
    yield f"{t} = {element.full}({q});"
    yield f'{t} = std::string("text");'
    yield f"{t}.emplace<1>({q});"
    yield f"event(90, std::get<0>({t}));"
    yield f"event(91, std::get<{element.full}>({t}).{element.method}({q}));"
    yield f"if (auto *p = std::get_if<int>(&{t})) *p = clip(*p + {q});"
    yield f"event(92, std::holds_alternative<std::string>({t}));"
    other = f"[&](auto &) {{ return {q}; }}"
    yield f"event(93, std::visit(Overloaded{{[](int x) {{ return x; }}, {other}}}, {t}));"
    if element.copied:
        yield f"{{ auto c = {t}; {t} = 3; {t} = std::move(c); }}"


def _function(ctx: Context, container: Container, q: str) -> Iterator[str]:
    t = container.text
    yield f"{t} = [](int x) {{ return clip(event(90, x) * 3); }};"
    yield f"{t} = [{q}](int x) {{ return clip(x + {q}); }};"
    yield f"{t} = [k = {q}](int x) mutable {{ k = clip(k + x); return k; }};"
    yield f"event(91, {t}({q}));"
    yield f"if ({t}) event(92, {t}({q}));"
    yield f"{{ auto c = {t}; {t} = nullptr; if (c) {t} = [c](int x) {{ return clip(c(x) + 1); }}; }}"
    yield f"{t} = scaled<3>;"
    copied = [c for c in ctx.world.classes if not c.is_abstract and not c.parts and c.copied]
    if copied:
        element = ctx.dice.choice(copied)
        yield f"{t} = [o = {element.full}({q})](int x) mutable {{ return clip(o.{element.method}(x)); }};"

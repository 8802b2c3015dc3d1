"""Writes what is done with containers of the library: one operation after the other, each on a value that is known."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from tests.generator.cplusplus.expressions import construction, small
from tests.generator.cplusplus.owners import OWNERS, owner_operations, owner_sum, owner_type
from tests.generator.cplusplus.world import Class, Container, Context

CONTAINERS: Final = (
    "vector", "vector", "objects", "objects", "deque", "set", "map", "map of objects", "string", "array", "list",
    *OWNERS,
)  # fmt: skip
ITEM: Final = Class("Item", "Item", 0, total="total", method="change", second=True, throws=True)
"""What is in containers: how often they copy and move their elements is left open, so this tells nobody."""
_PLAIN: Final = {
    "vector": "std::vector<int>",
    "deque": "std::deque<int>",
    "set": "std::set<int>",
    "map": "std::map<int, int>",
    "string": "std::string",
    "array": "std::array<int, 3>",
    "list": "std::list<int>",
}


def choose_container(ctx: Context, name: str) -> tuple[str, Container]:
    """The type of a new container that starts empty, and what is known of it."""
    type, made = _chosen(ctx, name)
    return type, replace(made, sum=sum_of(made))


def _chosen(ctx: Context, name: str) -> tuple[str, Container]:
    kind = ctx.dice.choice(CONTAINERS)
    ctx.note(f"library: {kind}")
    if kind in _PLAIN:
        return _PLAIN[kind], Container(name, kind)
    if kind in OWNERS:
        return owner_type(ctx, name, kind)
    return "std::vector<Item>" if kind == "objects" else "std::map<int, Item>", Container(name, kind, ITEM)


def declare_container(ctx: Context) -> None:
    name = ctx.fresh("c")
    type, made = choose_container(ctx, name)
    ctx.write(f"{type} {name}{'{}' if made.kind == 'array' else ''};")
    ctx.containers.append(made)
    for _ in range(ctx.dice.randrange(1, 4)):
        operate(ctx, made)


def use_container(ctx: Context) -> None:
    if ctx.containers:
        operate(ctx, ctx.dice.choice(ctx.containers))
    else:
        declare_container(ctx)


def sum_of(container: Container) -> str:
    """An expression below the limit that depends on everything in the container."""
    text, element = container.text, container.element
    match container.kind:
        case "vector" | "deque" | "set" | "string" | "array" | "list":
            return f"summed({text}, [](int x) {{ return x; }})"
        case "map":
            return f"summed({text}, [](const auto &x) {{ return x.first * 7 + x.second; }})"
        case "objects":
            assert element is not None
            return f"summed({text}, [](const auto &x) {{ return x.{element.total}(); }})"
        case "map of objects":
            assert element is not None
            return f"summed({text}, [](const auto &x) {{ return x.first * 7 + x.second.{element.total}(); }})"
        case _:
            return owner_sum(container)


def operate(ctx: Context, container: Container) -> None:
    """One operation. Its operand is computed before: what that does may change the container."""
    value = ctx.fresh("q")
    ctx.write(f"const int {value} = {small(ctx)};")
    ctx.constants.append(value)
    if container.kind in OWNERS:
        ways = list(owner_operations(ctx, container, value))
    else:
        ways = list(_OPERATIONS[container.kind](ctx, container, value))
    ctx.write(ctx.dice.choice(ways))


def _vector(ctx: Context, container: Container, q: str) -> Iterator[str]:
    t = container.text
    at = f"{t}.begin() + low({q}, {t}.size() + 1)"
    yield f"{t}.push_back({q});"
    yield f"{t}.push_back({q}); {t}.emplace_back({q} / 2);"
    yield f"{t}.insert({at}, {q});"
    yield f"{t}.insert({t}.end(), {{{q}, 1, 2}});"
    yield f"event(90, *{t}.insert({at}, 2, {q}));"
    yield f"if (!{t}.empty()) {t}.erase({t}.begin() + low({q}, {t}.size()));"
    yield f"if ({t}.size() > 1) {t}.erase({t}.begin(), {t}.begin() + 1);"
    yield f"if (!{t}.empty()) {t}.pop_back();"
    yield f"{t}.resize(low({q}, 6));"
    yield f"{t}.assign(low({q}, 4), {q});"
    yield f"{t} = {{{q}, 2, {q}}};"
    yield f"event(90, {t}.at(low({q}, 5)));"
    yield f"if (!{t}.empty()) {t}.push_back({t}.front());"
    yield f"{{ auto c = {t}; c.push_back({q}); {t}.swap(c); event(91, {sum_of(Container('c', 'vector'))}); }}"
    yield f"{{ auto c = std::move({t}); c.push_back({q}); {t} = c; }}"
    yield f"std::sort({t}.begin(), {t}.end());"
    yield f"for (int &x : {t}) x = clip(x + {q});"
    yield f"for (auto i = {t}.begin(); i != {t}.end();) i = *i % 2 == 0 ? {t}.erase(i) : i + 1;"
    yield f"event(92, clip(std::accumulate({t}.begin(), {t}.end(), {q})));"
    yield f"if (auto i = std::find({t}.begin(), {t}.end(), {q}); i != {t}.end()) event(93, *i); else event(94, 0);"
    yield f"{t}.clear(); event(95, {t}.empty());"
    yield f"if ({t}.size() > 5) {t}.erase({t}.begin() + 1, {t}.begin() + 4);"
    yield f"for (auto i = {t}.rbegin(); i != {t}.rend(); ++i) if (event(96, *i) > {q}) break;"
    yield f"event(96, {t} == std::vector<int>{{{q}}});"


def _objects(ctx: Context, container: Container, q: str) -> Iterator[str]:
    t, element = container.text, container.element
    assert element is not None
    yield f"{t}.emplace_back({q});"
    yield f"{t}.push_back({construction(ctx, element, 0)});"
    yield f"{t}.emplace_back({q}).{element.method}(3);"
    yield f"event(90, {t}.at(low({q}, 4)).{element.method}({q}));"
    yield f"if (!{t}.empty()) {t}.pop_back();"
    yield f"if (!{t}.empty()) {t}.erase({t}.begin() + low({q}, {t}.size()));"
    yield f"{t}.insert({t}.begin() + low({q}, {t}.size() + 1), {element.full}({q}));"
    yield f"for (auto &x : {t}) event(91, x.{element.method}({q}));"
    yield f"{t}.clear();"
    yield f"{t}.reserve(low({q}, 5));"
    yield f"{{ auto c = std::move({t}); event(92, c.size()); {t} = std::move(c); }}"
    if element.copied:
        yield f"{{ auto c = {t}; {t}.swap(c); }}"
        yield f"{t} = {{{element.full}({q}), {element.full}(3)}};"
        yield f"if (!{t}.empty()) {t}.push_back({t}.back());"
    if element.empty:
        yield f"{t}.resize(low({q}, 4));"


def _both_ends(ctx: Context, container: Container, q: str) -> Iterator[str]:
    t = container.text
    yield f"{t}.push_back({q});"
    yield f"{t}.push_front({q});"
    yield f"if (!{t}.empty()) {t}.pop_front();"
    yield f"if (!{t}.empty()) {t}.pop_back();"
    yield f"if (!{t}.empty()) {{ int &x = {t}.front(); {t}.push_front({q}); {t}.push_back(1); event(90, x); }}"
    yield f"{t}.insert(std::next({t}.begin(), low({q}, {t}.size() + 1)), {q});"
    yield f"if (!{t}.empty()) {t}.erase(std::next({t}.begin(), low({q}, {t}.size())));"
    yield f"for (auto &x : {t}) x = clip(x * 2 + {q});"
    yield f"{{ auto c = {t}; c.push_front({q}); {t} = std::move(c); }}"
    yield f"{t} = {{{q}, 4}};"
    if container.kind == "deque":
        yield f"if (!{t}.empty()) {t}[low({q}, {t}.size())] = 5;"
        yield f"event(90, {t}.at(low({q}, 4)));"
    else:
        yield f"{t}.sort();"
        yield f"{t}.reverse();"
        yield f"{t}.remove_if([&](int x) {{ return x > {q}; }});"


def _set(ctx: Context, container: Container, q: str) -> Iterator[str]:
    t = container.text
    yield f"event(90, {t}.insert(low({q}, 9)).second);"
    yield f"{t}.insert({{{q}, 3, 5}});"
    yield f"event(91, {t}.erase(low({q}, 9)));"
    yield f"event(92, {t}.count({q}));"
    yield f"if (!{t}.empty()) event(93, *{t}.begin() + *{t}.rbegin());"
    yield f"if (auto i = {t}.lower_bound({q}); i != {t}.end()) {t}.erase(i);"
    yield f"for (int x : {t}) if (event(94, x) > {q}) break;"
    yield f"{{ auto c = {t}; c.insert({q}); {t}.swap(c); }}"


def _map(ctx: Context, container: Container, q: str) -> Iterator[str]:
    t = container.text
    yield f"{t}[low({q}, 7)] = {q};"
    yield f"++{t}[low({q}, 3)];"
    yield f"event(90, {t}.at(low({q}, 5)));"
    yield f"event(91, {t}.insert({{low({q}, 7), 4}}).second);"
    yield f"event(91, {t}.emplace(low({q}, 7), {q}).first->second);"
    yield f"event(92, {t}.erase(low({q}, 7)));"
    yield f"{t}.insert_or_assign(low({q}, 7), 8);"
    yield f"if (auto i = {t}.find(low({q}, 7)); i != {t}.end()) i->second = 9;"
    yield f"for (auto &[key, value] : {t}) value = clip(value + key);"
    yield f"for (auto [key, value] : {t}) {{ if (key == 2) continue; event(93, clip(value)); }}"
    yield f"for (auto i = {t}.begin(); i != {t}.end();) if (i->first % 2 == 0) i = {t}.erase(i); else ++i;"
    yield f"{t} = {{{{1, {q}}}, {{2, 3}}}};"
    yield f"{{ auto c = {t}; c[3] = {q}; {t} = std::move(c); }}"


def _map_of_objects(ctx: Context, container: Container, q: str) -> Iterator[str]:
    t, element = container.text, container.element
    assert element is not None
    yield f"event(90, {t}.try_emplace(low({q}, 4), {q}).second);"
    yield f"event(90, {t}.emplace(low({q}, 4), {q}).second);"
    yield f"event(91, {t}.at(low({q}, 4)).{element.method}({q}));"
    yield f"event(92, {t}.erase(low({q}, 4)));"
    yield f"for (auto &[key, value] : {t}) event(93, value.{element.method}(key));"
    yield f"if (auto i = {t}.find(2); i != {t}.end()) event(94, i->second.{element.total}());"
    yield f"{t}.clear();"
    if element.empty:
        yield f"event(95, {t}[low({q}, 3)].{element.method}({q}));"
    if element.copied:
        yield f"{{ auto c = {t}; c.erase(1); {t}.swap(c); }}"


def _string(ctx: Context, container: Container, q: str) -> Iterator[str]:
    t = container.text
    letter = f"static_cast<char>('a' + low({q}, 4))"
    yield f"{t} += {letter};"
    yield f'{t} += "bc";'
    yield f"{t}.append(std::to_string({q}));"
    yield f"{t} = {t}.substr(low({q}, {t}.size() + 1));"
    yield f"{t} = {t}.substr(0, 3) + {t};"
    yield f"event(90, {t}.find({letter}) == std::string::npos);"
    yield f'{t}.insert(low({q}, {t}.size() + 1), "xy");'
    yield f"if (!{t}.empty()) {t}.pop_back();"
    yield f'{t} = "start";'
    yield f"event(91, {t} < std::string(2, {letter}));"
    yield f'event(92, {t} == "start" ? 1 : {t}.compare("b") < 0 ? 2 : 3);'
    yield f"event(93, {t}.at(low({q}, 4)));"
    yield f"event(94, {t}.c_str()[{t}.size()]);"
    yield f"{t}.erase(low({q}, {t}.size() + 1), 2);"
    yield f"if ({t}.size() > 12) {t}.clear();"
    yield f"for (char &x : {t}) if (x == 'a') x = 'z';"
    yield f"{{ std::string c = std::move({t}); {t} = c + {letter}; }}"


def _array(ctx: Context, container: Container, q: str) -> Iterator[str]:
    t = container.text
    yield f"{t}[low({q}, 3)] = {q};"
    yield f"event(90, {t}.at(low({q}, 4)));"
    yield f"{t}.fill({q});"
    yield f"for (auto &x : {t}) x = clip(x + {q});"
    yield f"{{ auto [a, b, c] = {t}; {t} = {{c, a, b}}; }}"
    yield f"event(91, std::get<1>({t}) + {t}.back());"
    yield f"{{ auto &[a, b, c] = {t}; b = {q}; }}"
    yield f"std::sort({t}.begin(), {t}.end());"


_OPERATIONS: Final[dict[str, Callable[[Context, Container, str], Iterator[str]]]] = {
    "vector": _vector,
    "objects": _objects,
    "deque": _both_ends,
    "list": _both_ends,
    "set": _set,
    "map": _map,
    "map of objects": _map_of_objects,
    "string": _string,
    "array": _array,
}


def listed(ctx: Context) -> None:
    """A loop over a list in braces, or over a pair's or tuple's parts by name."""
    values = [f"clip({small(ctx)})" for _ in range(3)]
    name = ctx.fresh("x")
    choice = ctx.dice.randrange(4)
    ctx.note("library: lists, pairs and tuples")
    if choice == 0:
        ctx.write(f"for (int {name} : {{{', '.join(values)}}}) event(97, {name});")
    elif choice == 1:
        ctx.write(f"event(97, listed({{{', '.join(values)}}}));")
    elif choice == 2:
        ctx.write(f"auto [{name}a, {name}b] = std::pair<int, long>{{{values[0]}, {values[1]}}};")
        ctx.write(f"event(97, clip({name}a + {name}b));")
    else:
        ctx.write(f"std::tuple<int, char, int> {name}t{{{values[0]}, 'c', {values[1]}}};")
        ctx.write(f"auto &[{name}a, {name}b, {name}c] = {name}t;")
        ctx.write(f"{name}a = {values[2]};")
        ctx.write(f"event(97, clip(std::get<0>({name}t) + {name}b + {name}c));")

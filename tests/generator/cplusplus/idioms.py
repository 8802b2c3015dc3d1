"""Writes uses of the patterns in `idioms.h`."""

from pathlib import Path
from typing import Final

from tests.generator.cplusplus.expressions import small
from tests.generator.cplusplus.world import Context

PATTERNS: Final = Path(__file__).with_name("idioms.h").read_text(encoding="utf-8")

_USES: Final = (
    # Exceptions, and what is destroyed on their way.
    "try { Guarded g(Q); event(240, g.first.v); } catch (int e) { event(241, e); } catch (const std::exception &) {}",
    "{ Guarded g(Q); }",
    "try { Row r(Q); event(242, r.parts[2].v); } catch (const std::invalid_argument &e) { event(243, e.what()[1]); }",
    "{ int log = Q; { Careful c{log}; Careful d{log}; } event(244, log); }",
    "{ int log = 1; try { Careful c{log}; throw Failure(Q); } catch (Failure &e) { event(245, e.part.v + log); } }",
    "event(246, caught(Q));",
    "event(247, outermost(low(Q, 50)));",
    "try { event(248, settled(Q)); } catch (const Failure &e) { event(249, e.what()[0]); }",
    "{ AtEnd end{[&] { event(250, Q); }}; if (Q % 3 == 0) throw Failure(Q); }",
    "try { try { deepest(Q); } catch (int) { throw; } } catch (...) { event(251, 1); }",
    "try { throw Named(Q); } catch (Traced &t) { event(252, t.v); }",
    "try { throw Tall(Q % 9, 4); } catch (const Shape &s) { event(253, s.twice()); }",
    "for (int i = 0; i < 3; i++) { Traced t(i); try { if (i == 1) continue; if (Q % 2 && i == 2) break; "
    "throw i; } catch (int e) { event(254, e); if (Q % 3 == 0) break; } }",
    "event(255, [&] { try { return deepest(Q); } catch (const std::exception &) { return -1; } catch (int e) "
    "{ return e; } }());",
    "try { std::vector<Traced> v; v.reserve(4); v.emplace_back(Q); v.emplace_back(12); } "
    "catch (const std::logic_error &) { event(256, 1); }",
    "event(257, noexcept(deepest(1)) + 2 * noexcept(clip(1)) + 4 * noexcept(Traced(std::declval<Traced>())));",
    # Lives.
    "{ const Traced &t = Q % 2 ? Traced(1) : Traced(2); event(258, t.v); }",
    "{ Traced a(1), b(2); std::swap(a, b); a = b; b = std::move(a); event(259, a.v + b.v); }",
    "event(260, Traced(3).which() * 100 + [](Traced t) { return t.which(); }(4) * 10 + std::as_const(*new Traced(5)).which());",
    "{ Traced a(Q % 7); auto f = [a, b = Traced(1)]() mutable { a.v++; return a.v + b.v; }; f(); auto g = f; event(261, g() + f()); }",
    "{ auto p = std::make_unique<Item[]>(2); p[1] = Item(Q % 9); event(262, p[0].n + p[1].n); }",
    "{ std::optional<Traced> o; if (Q % 2) o.emplace(Q % 7); auto c = o; o = Traced(2); c.swap(o); event(263, o.has_value()); }",
    "{ std::pair<Traced, int> p(1, 2); auto [t, n] = p; auto &[u, m] = p; u.v = 9; event(264, t.v + p.first.v + n + m); }",
    "{ std::tuple<Traced, int> t{1, Q}; event(265, std::get<0>(std::move(t)).v + std::get<int>(t)); }",
    "for (const Traced &t : {Traced(1), Traced(Q % 7)}) event(266, t.v);",
    "{ Traced *t = new Traced[2]{1, Q % 9}; event(267, t[1].v); delete[] t; }",
    "{ alignas(Traced) unsigned char room[sizeof(Traced)]; auto *t = new (room) Traced(4); event(268, t->v); t->~Traced(); }",
    "if (Traced t(Q % 7); t.v > 3) event(269, t.v); else event(270, t.v);",
    "while (Traced *t = Q % 2 ? new Traced(1) : nullptr) { delete t; break; }",
    "switch (Traced t(Q % 4); t.v) { case 1: event(271, 1); [[fallthrough]]; case 2: { Traced u(3); break; } default: event(272, 2); }",
    "{ int i = 0; again: Traced t(i); if (++i < 3) goto again; event(273, i); }",
    # Classes.
    "{ std::unique_ptr<Shape> s; if (Q % 2) s = std::make_unique<Tall>(2, Q); else s.reset(new Square(Q % 9)); "
    "std::unique_ptr<Shape> c(s->copy()); event(274, clip(c->twice())); event(275, dynamic_cast<Tall *>(c.get()) != nullptr); }",
    "try { Square q(2); Shape &s = q; event(276, dynamic_cast<Tall &>(s).height); } catch (const std::bad_cast &) { event(277, 0); }",
    "{ std::vector<std::unique_ptr<Shape>> v; v.push_back(std::make_unique<Square>(2)); v.push_back(std::make_unique<Tall>(1, Q)); "
    "for (auto &s : v) event(278, clip(s->area())); v.erase(v.begin()); }",
    "{ One a, b = a; Two t; event(279, a.self() + t.self() + One::made * 10 + Counting<Two>::made * 100); }",
    "{ Named n(Q % 7); Named m = n; m.name += \"more\"; n = std::move(m); event(280, n.size()); }",
    "{ Buffer b(3, Q), c = b; c = std::move(b); b = c; for (int &x : b) x = clip(x * 2); int s = 0; for (int x : b) s += x; event(281, clip(s)); }",
    "{ std::unique_ptr<Node> t; for (int k : {3, Q, 5, 1}) add(t, k); event(282, depth(t)); }",
    "{ Flags f{5, 9, true}; f.low += 6; f.high = static_cast<unsigned>(Q); event(283, f.low * 100 + f.high + f.on + f.rest); }",
    "{ Line l{{Q}, {.x = 2, .y = 3}}; auto [from, to, name] = l; event(284, clip(from.x + from.y * 2 + to.y + name[0])); }",
    "{ Point p, q{5}; Point r = p.x == 1 ? q : p; r.y += Q; event(285, clip(r.x * 7 + r.y)); }",
    # Templates.
    "{ Both<int> a{Q, 2}; Both<long> b = a; event(286, clip(a.plus(3) + b.plus(1L))); event(287, a == Both<int>{Q, 2}); }",
    "{ Both<int, char> a{1, 'b'}, b{1, 'c'}; event(288, (a == b) + 2 * (a != b)); }",
    "event(289, width<int> + width<char> + added<1, 2, 3> + triangle(low(Q, 6)) + static_cast<int>(3_k));",
    "{ int x = Q; event(290, kind(x) + 10 * kind(&x) + 100 * kind('c')); event(291, clip(sorted_by(x) + sorted_by(&x) + sorted_by(2.5))); }",
    "event(292, measured(std::string(\"four\")) + measured(3) + measured(std::vector<int>{1, Q}));",
    "{ auto f = []<class T>(T x, auto y) { return static_cast<int>(x + y + sizeof(T)); }; event(293, clip(f(Q, 2) + f('a', 1L))); }",
    "{ constexpr std::array<int, 4> t{1, triangle(3), 4, 8}; event(294, t[low(Q, 4)]); static_assert(t[1] == 6); }",
    # Operators, functions and algorithms.
    "{ Stream s; s << 1 << Q << \"ab\"; s->sum += 1; event(295, s ? s.sum : -1); }",
    "{ std::function<int(int)> f = [&](int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }; event(296, f(low(Q, 8))); }",
    "{ int k = 1; auto add = [&k](int x) { k = clip(k + x); return [k2 = k, &k](int y) { return k2 * 10 + k + y; }; }; auto g = add(Q); add(2); event(297, clip(g(1))); }",
    "{ std::vector<std::function<void()>> all; int n = 0; for (int i = 0; i < 3; i++) all.push_back([i, &n] { n = n * 2 + i; }); for (auto &f : all) f(); event(298, n); }",
    "{ std::vector<int> v{5, Q, 2, 8}; std::sort(v.begin(), v.end(), std::greater<int>()); std::transform(v.begin(), v.end(), v.begin(), [](int x) { return x / 2; }); "
    "event(299, clip(std::accumulate(v.begin(), v.end(), 0) + std::count_if(v.begin(), v.end(), [&](int x) { return x > Q; }))); }",
    "event(300, clip(std::min({4, Q, 7}) * 2 + std::max(Q, 5)));",
    "{ int a = 1, b = Q; std::tie(a, b) = std::make_tuple(b, a); event(301, clip(a * 3 + b)); int old = std::exchange(a, 5); event(302, clip(old + a)); }",
    "{ std::variant<int, std::string, Traced> v = 3; if (Q % 2) v = Traced(Q % 5); else v = \"text\"; "
    "event(303, std::visit([](auto &x) { if constexpr (std::is_same_v<std::decay_t<decltype(x)>, Traced>) return x.v; else return 1; }, v)); }",
    "{ std::unordered_map<int, std::string> m; m[Q] = \"a\"; m[Q] += \"b\"; event(304, static_cast<int>(m.at(Q).size() + m.count(3))); }",
    "{ std::stack<int> s; std::queue<int> q; std::priority_queue<int> p; for (int x : {2, Q, 1}) { s.push(x); q.push(x); p.push(x); } event(305, clip(s.top() + q.front() * 2 + p.top() * 3)); }",
    "{ std::string_view t = \"a long text\"; event(306, static_cast<int>(t.substr(2, 4).find('g') + t.rfind('t'))); }",
)  # fmt: skip


def idiom(ctx: Context) -> None:
    """One of the patterns; `Q` stands for a number."""
    ctx.note("patterns")
    value = ctx.fresh("q")
    ctx.write(f"const int {value} = {small(ctx)};")
    text = ctx.dice.choice(_USES).replace("Q", value).replace("again:", f"{value}_again:")
    ctx.write(text.replace("goto again", f"goto {value}_again"))

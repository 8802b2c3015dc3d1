// Values of several types, and functions as objects.
#include <any>
#include <variant>
#include <optional>
#include <tuple>
#include <functional>
#include <memory>
#include <string>
#include <limits>
#include <type_traits>
#include <exception>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <typeinfo>
#include <vector>
#include <cmath>
#include <cstdint>
#include <compare>
#include <bit>
#include <concepts>
#include <numbers>
#include <source_location>
#include <atomic>
#include <mutex>
#include <chrono>
extern "C" void observe(long long value);
struct S { int n; int get(int k) const { return n + k; } int twice() { return n * 2; } };
static int add3(int a, int b, int c) { return a * 100 + b * 10 + c; }
template <class... Ts> struct overloaded : Ts... { using Ts::operator()...; };
template <class... Ts> overloaded(Ts...) -> overloaded<Ts...>;
struct Loud { static int alive; Loud() { ++alive; } Loud(const Loud &) { ++alive; } ~Loud() { --alive; } }; int Loud::alive = 0;
template <std::integral T> int kind(T) { return 1; } template <std::floating_point T> int kind(T) { return 2; }
int main() {
    std::any a = 5;
    observe(a.has_value());
    observe(std::any_cast<int>(a));
    a = std::string("abc");
    observe(std::any_cast<std::string &>(a).size());
    try { std::any_cast<int>(a); } catch (const std::bad_any_cast &) { observe(-1); }
    observe(std::any_cast<int>(&a) == nullptr);
    std::any b = a;
    a.reset();
    observe(a.has_value());
    observe(std::any_cast<std::string>(b).size());
    { std::any c = Loud(); observe(Loud::alive); }
    observe(Loud::alive);
    auto mk = std::make_any<int>(8);
    observe(std::any_cast<int>(mk));
    mk.emplace<char>('c');
    observe(*std::any_cast<char>(&mk));
    std::variant<int, std::string, double> v = 3;
    observe(v.index());
    observe(std::get<int>(v));
    v = "text";
    observe(v.index());
    observe(std::get<1>(v).size());
    observe(std::holds_alternative<std::string>(v));
    observe(std::visit([](auto &x) { return static_cast<int>(sizeof(x)) > 8; }, v));
    std::variant<int, char> w = 'c';
    observe(std::visit(overloaded{[](int) { return 1; }, [](char) { return 2; }}, w));
    std::variant<int, char> z = 4;
    observe(std::visit([](auto x, auto y) { return x * 1000 + y; }, w, z));
    try { std::get<int>(v); } catch (const std::bad_variant_access &) { observe(-2); }
    observe(std::get_if<int>(&v) == nullptr);
    v.emplace<double>(2.5);
    observe(std::get<double>(v) * 2);
    auto v2 = v;
    observe(v2 == v);
    std::variant<std::monostate, int> mo;
    observe(mo.index());
    mo = 3;
    observe(std::get<int>(mo));
    observe(std::variant_size_v<decltype(mo)>);
    v2.swap(v);
    observe(mo < decltype(mo)(4));
    std::visit([](auto &&x) { observe(x == x); }, mo);
    std::optional<int> o = 4;
    observe(*o);
    o.emplace(7);
    observe(o.value());
    std::optional<int> no;
    observe(o > no);
    observe(no < 3);
    observe(o == 7);
    auto oo = std::make_optional<std::string>("abc");
    observe(oo->size());
    observe(oo.value_or("x").size());
    swap(o, no);
    observe(no.has_value());
    std::optional<Loud> ol;
    { ol.emplace(); observe(Loud::alive); ol = std::nullopt; }
    observe(Loud::alive);
    if (auto q = std::optional<int>(3); q) observe(*q);
    auto t = std::make_tuple(1, std::string("two"), 3.5);
    observe(std::get<0>(t));
    observe(std::get<std::string>(t).size());
    auto [t0, t1, t2] = t;
    observe(t0 + t1.size());
    int i, j;
    std::tie(i, std::ignore, j) = std::make_tuple(1, 2, 3);
    observe(i * 10 + j);
    observe(std::tuple_size_v<decltype(t)>);
    auto cat = std::tuple_cat(std::make_tuple(1), std::make_tuple(2, 3));
    observe(std::get<2>(cat));
    observe(std::apply(add3, cat));
    observe(std::make_tuple(1, 2) < std::make_tuple(1, 3));
    auto fa = std::forward_as_tuple(i, j);
    std::get<0>(fa) = 50;
    observe(i);
    auto mt = std::make_from_tuple<std::pair<int, int>>(std::make_tuple(4, 5));
    observe(mt.second);
    auto pr = std::make_pair(1, "x");
    auto [p0, p1] = pr;
    observe(p0 + p1[0]);
    observe(std::pair(1, 2) < std::pair(1, 3));
    observe(std::exchange(i, 9));
    observe(i);
    std::swap(i, j);
    observe(j);
    observe(std::as_const(i));
    observe(std::cmp_less(-1, 1u));
    using namespace std::placeholders;
    auto bd = std::bind(add3, _2, 5, _1);
    observe(bd(1, 2));
    S s{3};
    auto bm = std::bind([](const S *q, int k) { return q->n + k; }, &s, _1);
    observe(bm(4));
    observe(std::invoke(add3, 1, 2, 3));
    auto rf = std::ref(i);
    rf.get() = 77;
    observe(i);
    std::function<int(int)> fn = bm;
    observe(fn(1));
     observe(std::not_fn([](int x) { return x > 3; })(2));
    observe(std::hash<int>()(7) == 7);
    observe(std::multiplies<>()(3, 4));
    observe(std::negate<>()(3));
    observe(std::logical_and<>()(true, false));
    observe(std::bit_xor<>()(6, 3));
    observe(std::modulus<int>()(7, 4));
    std::function<void()> ef;
    observe(static_cast<bool>(ef));
    try { ef(); } catch (const std::bad_function_call &) { observe(-3); }
    int counter = 0;
    std::function<void()> inc = [&counter] { ++counter; };
    auto inc2 = inc;
    inc();
    inc2();
    observe(counter);
    std::function<int(int)> fact = [&](int x) { return x <= 1 ? 1 : x * fact(x - 1); };
    observe(fact(5));
    std::reference_wrapper<int> rw = i;
    rw = j;
    observe(rw);
    std::vector<std::function<int(int)>> fs{[](int x) { return x + 1; }, [k = 5](int x) { return x * k; }};
    int acc = 1;
    for (auto &f : fs) acc = f(acc);
    observe(acc);
    auto bf = std::bind_front(add3, 1, 2);
    observe(bf(3));
    return 0;
}

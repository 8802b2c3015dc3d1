// How often variants, optionals, functions, owners, pairs and maps copy, move and destroy what they hold.
#include <array>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

extern "C" void observe(long long value) noexcept;

// Told by everything that happens to it; it can be copied only.
struct Copied {
    int v;
    Copied(int a) : v(a) { observe(100 + a); }
    Copied(const Copied &o) : v(o.v + 1) { observe(200 + v); }
    Copied &operator=(const Copied &o) {
        observe(600 + v);
        v = o.v;
        return *this;
    }
    ~Copied() { observe(400 + v); }
    int operator()(int x) {
        observe(900);
        return v + x;
    }
    bool operator==(const Copied &o) const { return v == o.v; }
    bool operator<(const Copied &o) const { return v < o.v; }
};

// The same, and it can be moved.
struct Moved : Copied {
    Moved(int a) : Copied(a) {}
    Moved(const Moved &o) = default;
    Moved(Moved &&o) noexcept : Copied(o.v) {
        observe(300 + v);
        o.v = 50;
    }
    Moved &operator=(const Moved &o) = default;
    Moved &operator=(Moved &&o) {
        observe(650 + v);
        v = o.v;
        o.v = 60;
        return *this;
    }
};

template <class T> static void variants() {
    std::variant<int, T, std::string> c;
    c = T(3);
    observe(1);
    {
        auto d = c;
        c = 3;
        observe(2);
        c = std::move(d);
        observe(3);
    }
    c = std::string("text");
    observe(4);
    {
        auto d = c;
        c = T(5);
        d = c;
        observe(5);
        c = d;
        d = 4;
        c = d;
        observe(6);
        c = std::move(d);
        d.swap(c);
        d = T(6);
        d.swap(c);
        observe(7);
        T t(9);
        c = t;
        c = t;
        d = std::move(c);
        observe(8);
    }
    try {
        observe(std::get<T>(c).v);
        c = 3;
        observe(std::get<T>(std::move(c)).v);
    } catch (const std::bad_variant_access &) {
        observe(9);
    }
    c.template emplace<1>(7);
}

template <class T> static void optionals() {
    std::optional<T> a, b(3), c = b, d(T(4)), e(std::in_place, 5);
    a = b;
    a = b;
    a = std::move(c);
    observe(1);
    a = T(6);
    b = std::nullopt;
    b = T(7);
    observe(2);
    a.swap(d);
    observe(3);
    b.reset();
    a.swap(b);
    b.swap(a);
    observe(4);
    observe(b.value_or(T(9)).v);
    T t(8);
    a = t;
    a.emplace(9);
    observe(std::move(a).value_or(3).v);
    std::optional<T> g = std::move(e);
    a = {};
    g = T(1);
    T h = *std::move(g);
    a = 4;
    observe(a < d);
}

template <class T> static void functions() {
    T t(1);
    std::function<int(int)> f = t;
    observe(f(3));
    std::function<int(int)> g = f;
    f = T(5);
    f.swap(g);
    observe(1);
    g = std::move(f);
    f = g;
    f = nullptr;
    observe(2);
    g = std::ref(t);
    observe(g(3));
    f = [t](int x) mutable { return t(x); };
    observe(f(1));
}

template <class T> static void owners() {
    auto a = std::make_shared<T>(1);
    std::shared_ptr<T> b = a, c(new T(2));
    a = c;
    b.reset();
    observe(1);
    std::weak_ptr<T> w = a;
    c = nullptr;
    a.reset(new T(3));
    observe(w.expired());
    std::unique_ptr<T> u(new T(4));
    std::shared_ptr<T> d = std::move(u);
    u = std::make_unique<T>(5);
    u.reset(new T(6));
    observe(2);
    std::shared_ptr<int> inside(d, &d->v);
    d.reset();
    observe(*inside);
}

template <class T> static void pairs() {
    std::pair<T, int> p(1, 2), q = p, r(std::move(q));
    p = r;
    p = std::move(r);
    observe(1);
    std::tuple<T, int> t(3, 4), u = t;
    t = std::make_tuple(T(5), 6);
    observe(2);
    auto [x, y] = t;
    const auto &[z, n] = p;
    std::swap(p, q);
    observe(z.v + n + y);
    std::tie(x, std::ignore) = t;
    T e = std::exchange(x, T(3));
    observe(3);
    std::pair<std::pair<T, T>, T> nested({1, 2}, 3);
    std::array<T, 2> row{T(1), 2}, other = row;
    row = other;
}

struct Stays {
    int n;
    explicit Stays(int a, int b = 0) : n(a + b) { observe(n); }
    Stays(const Stays &) = delete;
};
struct Plain {
    int first;
    Copied second;
};

static void maps() {
    std::map<int, Stays> stays;
    observe(stays.try_emplace(1, 2, 3).second);
    observe(stays.emplace(1, 9).second);
    observe(stays.emplace(2, 9).second);
    observe(stays.at(2).n);
    std::map<int, Moved> moved;
    moved.emplace(1, 5);
    moved.try_emplace(1, 6);
    moved.insert({2, 7});
    observe(static_cast<int>(moved.size()));
    const Plain plain{1, 2};
    auto [a, b] = plain;
    const auto &[c, d] = plain;
    observe(a + b.v + c + d.v);
}

// Which element of a container ends first is left open: it is the one that g++ has.
struct Ended {
    int v;
    Ended(int a = 0) : v(a) {}
    Ended(const Ended &) = default;
    Ended(Ended &&o) noexcept : v(std::exchange(o.v, 0)) {}
    Ended &operator=(const Ended &) = default;
    ~Ended() {
        if (v)
            observe(v);
    }
    bool operator<(const Ended &o) const { return v < o.v; }
};

template <class Container> static void in_a_row() {
    Container c;
    for (int i : {5, 2, 8, 1})
        c.emplace_back(i);
    c.resize(2);
    observe(1);
    c.emplace_back(7);
    c.clear();
    observe(2);
    c.emplace_back(3);
    c.emplace_back(4);
}
static void by_key() {
    std::map<int, Ended> values;
    for (int i : {5, 2, 8, 1, 9, 3})
        values.try_emplace(i, i);
    values.erase(8);
    auto copy = values;
    values.clear();
    observe(1);
    std::set<Ended> keys;
    for (int i : {5, 2, 8})
        keys.emplace(i);
    std::multimap<int, Ended> several;
    for (int i : {3, 4, 5})
        several.emplace(i % 2, i);
    several.erase(1);
    observe(2);
}

int main() {
    in_a_row<std::vector<Ended>>();
    in_a_row<std::deque<Ended>>();
    in_a_row<std::list<Ended>>();
    by_key();
    variants<Copied>();
    variants<Moved>();
    optionals<Copied>();
    optionals<Moved>();
    functions<Copied>();
    functions<Moved>();
    owners<Moved>();
    pairs<Copied>();
    pairs<Moved>();
    maps();
}

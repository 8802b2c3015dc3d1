// Copies of maps and sets that an exception ends: nothing is left of them.
#include <map>
#include <set>
#include <unordered_map>

extern "C" void observe(long long value) noexcept;

static int left = 1000;

struct Copied {
    int v;
    Copied(int a) : v(a) {}
    Copied(const Copied &o) : v(o.v) {
        if (--left < 0)
            throw 7;
    }
    bool operator<(const Copied &o) const { return v < o.v; }
};

template <class Container, class Add> static void assign(int copies, Add add) {
    Container a, b;
    add(a, 1);
    for (int i = 4; i < 7; i++)
        add(b, i);
    left = copies;
    try {
        a = b;
        observe(1);
    } catch (int) {
        observe(2);
    }
    left = 1000;
    observe(a.size());
    add(a, 9);
    observe(a.size() + 10 * b.size());
}

int main() {
    for (int copies = 0; copies < 5; copies++) {
        auto by_key = [](auto &to, int x) { to.emplace(x, x); };
        assign<std::map<int, Copied>>(copies, by_key);
        assign<std::multimap<int, Copied>>(copies, by_key);
        assign<std::unordered_map<int, Copied>>(copies, by_key);
        assign<std::set<Copied>>(copies, [](auto &to, int x) { to.emplace(x); });
    }
}

// Members as functions, and comparisons in three ways.
#include <functional>
#include <memory>
#include <compare>
#include <vector>
#include <algorithm>
#include <exception>
#include <stdexcept>
#include <typeinfo>
extern "C" void observe(long long value);
struct S { int n; int get(int k) const { return n + k; } int twice() { return n * 2; } };
struct P { int x, y; auto operator<=>(const P &) const = default; };
int main() {
    using namespace std::placeholders;
    S s{3};
    auto bm = std::bind(&S::get, &s, _1);
    observe(bm(4));
    auto mf = std::mem_fn(&S::get);
    observe(mf(s, 5));
    observe(std::invoke(&S::get, s, 6));
    observe(std::invoke(&S::n, s));
    std::function<int(const S &, int)> fm = &S::get;
    observe(fm(s, 2));
    auto p = std::make_shared<S>(s);
    observe(std::invoke(&S::twice, p));
    observe(std::invoke(&S::get, std::ref(s), 1));
    std::vector<S> v{{3}, {1}, {2}};
    std::ranges::sort(v, {}, &S::n);
    for (const S &one : v) observe(one.n);
    observe((P{1, 2} <=> P{1, 3}) < 0);
    observe(P{1, 2} == P{1, 2});
    observe(P{2, 0} > P{1, 9});
    observe((1 <=> 2) == std::strong_ordering::less);
    observe(std::is_lt(3 <=> 4));
    observe((2.5 <=> 1.5) == std::partial_ordering::greater);
    return 0;
}

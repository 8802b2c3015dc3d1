// Algorithms on ranges as a whole.
#include <algorithm>
#include <iterator>
#include <vector>
#include <string>
extern "C" void observe(long long value);
struct Item { int key; int value; };
int main() {
    std::vector<int> v{4, 1, 3};
    std::ranges::sort(v);
    for (int x : v) observe(x);
    std::ranges::sort(v, std::greater<>());
    observe(v[0]);
    observe(std::ranges::find(v, 3) - v.begin());
    observe(std::ranges::find_if(v, [](int x) { return x < 4; }) - v.begin());
    observe(std::ranges::any_of(v, [](int x) { return x == 1; }));
    observe(std::ranges::all_of(v.begin(), v.end(), [](int x) { return x > 1; }));
    observe(std::ranges::count(v, 1));
    observe(std::ranges::count_if(v, [](int x) { return x > 1; }));
    observe(*std::ranges::max_element(v));
    std::vector<Item> items{{2, 20}, {1, 10}};
    std::ranges::sort(items, {}, [](const Item &item) { return item.key; });
    observe(items[0].value);
    std::vector<int> w;
    std::ranges::transform(v, std::back_inserter(w), [](int x) { return x * 2; });
    std::ranges::copy(v, std::back_inserter(w));
    std::ranges::for_each(w, [](int x) { observe(x); });
    std::ranges::reverse(w);
    observe(w[0]);
    observe(std::ranges::equal(v, w));
    std::ranges::fill(w, 7);
    observe(w[3]);
    return 0;
}

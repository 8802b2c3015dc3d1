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
    std::vector<int> sorted{1, 3, 3, 8};
    for (int x : {0, 1, 3, 5, 8, 9}) {
        observe(std::ranges::lower_bound(sorted, x) - sorted.begin());
        observe(std::ranges::upper_bound(sorted, x) - sorted.begin());
        observe(std::ranges::binary_search(sorted, x));
    }
    observe(std::ranges::lower_bound(items, 2, {}, &Item::key)->value);
    observe(std::ranges::binary_search(items, 2, std::less<>(), [](const Item &item) { return item.key; }));
    std::ranges::replace(sorted, 3, 4);
    for (int x : sorted) observe(x);
    observe(std::ranges::equal(sorted, w, [](int a, int b) { return a < b; }));
    observe(std::ranges::ssize(sorted) - 5);
    auto below = [](int a, int b) { return a < b; };
    observe(std::equal(v.begin(), v.end(), w.begin(), below));
    observe(std::equal(v.begin(), v.end(), w.begin(), w.begin() + 3, below));
    observe(std::equal(v.begin(), v.end(), w.begin(), w.end(), below));
    return 0;
}

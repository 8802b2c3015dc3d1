// What programs ask of types, of characters and of allocators.
#include <forward_list>
#include <list>
#include <memory>
#include <ranges>
#include <string>
#include <type_traits>
#include <vector>
extern "C" void observe(long long value);
struct Plain { int x; };
struct Made {
    int x;
    Made() : x(1) {}
    Made(const Made &other) : x(other.x + 1) {}
    ~Made() { observe(x); }
};
template <class T> void ask() {
    observe(std::is_trivially_default_constructible_v<T>);
    observe(std::is_trivially_constructible<T, const T &>::value);
    observe(std::is_trivially_copy_constructible_v<T>);
    observe(std::is_trivially_move_constructible<T>::value);
    observe(std::is_trivially_copy_assignable_v<T>);
    observe(std::is_trivially_move_assignable_v<T>);
}
template <class Allocator> void use(Allocator from) {
    using Traits = std::allocator_traits<Allocator>;
    static_assert(std::is_same_v<typename Traits::pointer, typename Traits::value_type *>);
    static_assert(std::is_same_v<typename Traits::size_type, std::size_t>);
    static_assert(std::is_same_v<typename Traits::template rebind_alloc<char>, std::allocator<char>>);
    auto *room = Traits::allocate(from, 2);
    Traits::construct(from, room);
    Traits::construct(from, room + 1, *room);
    observe(room[0].x * 10 + room[1].x);
    Traits::destroy(from, room + 1);
    Traits::destroy(from, room);
    Traits::deallocate(from, room, 2);
}
void show(const char *text) {
    for (; *text; ++text) observe(*text);
}
template <class T> void rank() {
    observe(std::ranges::range<T>);
    observe(std::ranges::input_range<T>);
    observe(std::ranges::forward_range<T>);
    observe(std::ranges::bidirectional_range<T>);
    observe(std::ranges::random_access_range<T>);
    observe(std::ranges::contiguous_range<T>);
    observe(std::ranges::sized_range<T>);
    observe(std::ranges::common_range<T>);
}
static_assert(std::same_as<std::ranges::range_value_t<std::vector<int>>, int>);
static_assert(std::same_as<std::ranges::range_reference_t<const std::list<char>>, const char &>);
int main() {
    rank<int>();
    rank<Plain>();
    rank<int[3]>();
    rank<const std::vector<int>>();
    rank<std::string &>();
    rank<std::list<int>>();
    rank<std::forward_list<int>>();
    ask<int>();
    ask<Plain>();
    ask<Made>();
    ask<std::string>();
    use(std::allocator<Made>());
    using Letters = std::char_traits<char>;
    char text[] = "abcdef";
    observe(Letters::length(text));
    observe(Letters::compare("ab", "ac", 2) < 0);
    observe(Letters::compare("\xff", "a", 1) > 0);
    Letters::move(text + 1, text, 4);
    show(text);
    Letters::move(text, text + 1, 4);
    show(text);
    Letters::copy(text, "xy", 2);
    Letters::assign(text + 3, 2, '-');
    show(text);
    show(Letters::find(text, 6, '-'));
    observe(Letters::find(text, 6, '?') == nullptr);
    observe(Letters::to_int_type('\xff'));
    observe(Letters::eof());
    observe(Letters::not_eof(7));
    observe(Letters::eq_int_type(Letters::to_int_type('a'), 'a'));
    return 0;
}

/* Allocators: containers here do not take them, but programs name them and call them. */
#ifndef STATEGLASS_CPLUSPLUS_ALLOCATING
#define STATEGLASS_CPLUSPLUS_ALLOCATING

#include <cstddef>
#include <stateglass/elements.h>
#include <utility>

namespace std {

/* Memory for elements, and their beginning and end in it. */
template <class T> struct allocator {
    using value_type = T;
    using size_type = size_t;
    using difference_type = ptrdiff_t;
    constexpr allocator() noexcept {}
    template <class Other> constexpr allocator(const allocator<Other> &) noexcept {}
    T *allocate(size_t n) { return inside::room_for<T>(n); }
    void deallocate(T *room, size_t) { inside::give_back(room); }
};
template <class A, class B> constexpr bool operator==(const allocator<A> &, const allocator<B> &) noexcept { return true; }
template <class T, class... Arguments> T *construct_at(T *place, Arguments &&...arguments) {
    return ::new (static_cast<void *>(place)) T(std::forward<Arguments>(arguments)...);
}
template <class T> void destroy_at(T *place) { place->~T(); }
template <class T> constexpr T *to_address(T *pointer) noexcept { return pointer; }
template <class Pointer> constexpr auto to_address(const Pointer &pointer) noexcept { return pointer.operator->(); }

namespace inside {
template <class Allocator, class = void> struct pointer_of { using type = typename Allocator::value_type *; };
template <class Allocator> struct pointer_of<Allocator, void_t<typename Allocator::pointer>> {
    using type = typename Allocator::pointer;
};
template <class Allocator, class = void> struct size_of { using type = size_t; };
template <class Allocator> struct size_of<Allocator, void_t<typename Allocator::size_type>> {
    using type = typename Allocator::size_type;
};
template <class Allocator, class = void> struct difference_of { using type = ptrdiff_t; };
template <class Allocator> struct difference_of<Allocator, void_t<typename Allocator::difference_type>> {
    using type = typename Allocator::difference_type;
};
template <class Allocator, class Other> struct with_value;
template <template <class, class...> class Allocator, class T, class... Rest, class Other>
struct with_value<Allocator<T, Rest...>, Other> {
    using type = Allocator<Other, Rest...>;
};
}

template <class Allocator> struct allocator_traits {
    using allocator_type = Allocator;
    using value_type = typename Allocator::value_type;
    using pointer = typename inside::pointer_of<Allocator>::type;
    using const_pointer = const value_type *;
    using size_type = typename inside::size_of<Allocator>::type;
    using difference_type = typename inside::difference_of<Allocator>::type;
    template <class Other> using rebind_alloc = typename inside::with_value<Allocator, Other>::type;
    template <class Other> using rebind_traits = allocator_traits<rebind_alloc<Other>>;

    static pointer allocate(Allocator &from, size_type n) { return from.allocate(n); }
    static void deallocate(Allocator &to, pointer room, size_type n) { to.deallocate(room, n); }
    template <class T, class... Arguments> static void construct(Allocator &, T *place, Arguments &&...arguments) {
        std::construct_at(place, std::forward<Arguments>(arguments)...);
    }
    template <class T> static void destroy(Allocator &, T *place) { std::destroy_at(place); }
    static size_type max_size(const Allocator &) noexcept { return size_type(-1) / sizeof(value_type); }
};

}

#endif

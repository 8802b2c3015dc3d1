/* Memory for elements and the elements in it: what the containers are made of. */
#ifndef STATEGLASS_ELEMENTS_H
#define STATEGLASS_ELEMENTS_H

#include <new>
#include <stateglass/intrinsics.h>
#include <utility>

extern "C" {
/* These end the program with `error(bounds)`, `error(null)` and `error(assertion)`. */
[[noreturn]] void __stateglass_fail_bounds();
[[noreturn]] void __stateglass_fail_null();
[[noreturn]] void __stateglass_fail_assertion();
}

/* As `__stateglass_allocate`, and tells what will be there. */
template <class T> T *__stateglass_allocate_for(__SIZE_TYPE__ n);

namespace std {
namespace inside {

/* What must hold for a position in a container. */
constexpr void within(bool condition) {
    if (!condition)
        __stateglass_fail_bounds();
}

/* Defined in <stdexcept>, which needs <string>. */
[[noreturn]] void throw_out_of_range(const char *where);
[[noreturn]] void throw_invalid_argument(const char *where);
[[noreturn]] void throw_length_error(const char *where);

template <class T> T *room_for(size_t count) {
    return count == 0 ? nullptr : __stateglass_allocate_for<T>(count * sizeof(T));
}

inline void give_back(void *room) {
    if (room)
        __stateglass_release(room);
}

/* What a class can do only if its elements can. */
#if __cplusplus >= 202002L
#define STATEGLASS_IF(...) requires(__VA_ARGS__)
#else
#define STATEGLASS_IF(...)
#endif

template <class T, class... Arguments> void begin_at(T *place, Arguments &&...arguments) {
    ::new (static_cast<void *>(place)) T(std::forward<Arguments>(arguments)...);
}

template <class T> struct bytes_of {
    alignas(T) unsigned char bytes[sizeof(T)];
};

/* Memory that held an object holds nothing again: so states with equal values are equal. */
template <class T> void forget(T *place) {
    bytes_of<T> nothing;
    __stateglass_copy(place, &nothing, sizeof(T));
}

template <class T> void end_at(T *place) {
    place->~T();
    forget(place);
}

/* The same values in the same order. */
template <class A, class B> bool equal_elements(A a, A a_end, B b, B b_end) {
    while (a != a_end && b != b_end) {
        if (!(*a == *b))
            return false;
        ++a;
        ++b;
    }
    return a == a_end && b == b_end;
}

/* Before the other in the order of dictionaries. */
template <class A, class B> bool less_elements(A a, A a_end, B b, B b_end) {
    while (a != a_end && b != b_end) {
        if (*a < *b)
            return true;
        if (*b < *a)
            return false;
        ++a;
        ++b;
    }
    return a == a_end && b != b_end;
}

template <class Iterator, class = void> struct is_iterator : false_type {};
template <class Iterator>
struct is_iterator<Iterator, void_t<decltype(*declval<Iterator &>()), decltype(++declval<Iterator &>())>> : true_type {};
template <class Iterator> using if_iterator = enable_if_t<is_iterator<Iterator>::value>;

}
}

#define STATEGLASS_BARE(...) __VA_ARGS__
#if __cplusplus >= 202002L
#define STATEGLASS_THREE_WAYS(parameters, container) \
    template <STATEGLASS_BARE parameters> \
    auto operator<=>(const STATEGLASS_BARE container &x, const STATEGLASS_BARE container &y) \
        -> decltype(inside::elements_in_order(x.begin(), x.end(), y.begin(), y.end())) { \
        return inside::elements_in_order(x.begin(), x.end(), y.begin(), y.end()); \
    }
#else
#define STATEGLASS_THREE_WAYS(parameters, container)
#endif
/* The comparisons of a container, by those of its elements. Parameters stand in brackets. */
#define STATEGLASS_COMPARISONS(parameters, container) \
    template <STATEGLASS_BARE parameters> \
    bool operator==(const STATEGLASS_BARE container &x, const STATEGLASS_BARE container &y) { \
        return x.size() == y.size() && inside::equal_elements(x.begin(), x.end(), y.begin(), y.end()); \
    } \
    template <STATEGLASS_BARE parameters> \
    bool operator!=(const STATEGLASS_BARE container &x, const STATEGLASS_BARE container &y) { \
        return !(x == y); \
    } \
    template <STATEGLASS_BARE parameters> \
    bool operator<(const STATEGLASS_BARE container &x, const STATEGLASS_BARE container &y) { \
        return inside::less_elements(x.begin(), x.end(), y.begin(), y.end()); \
    } \
    template <STATEGLASS_BARE parameters> \
    bool operator>(const STATEGLASS_BARE container &x, const STATEGLASS_BARE container &y) { \
        return y < x; \
    } \
    template <STATEGLASS_BARE parameters> \
    bool operator<=(const STATEGLASS_BARE container &x, const STATEGLASS_BARE container &y) { \
        return !(y < x); \
    } \
    template <STATEGLASS_BARE parameters> \
    bool operator>=(const STATEGLASS_BARE container &x, const STATEGLASS_BARE container &y) { \
        return !(x < y); \
    } \
    STATEGLASS_THREE_WAYS(parameters, container)

#endif

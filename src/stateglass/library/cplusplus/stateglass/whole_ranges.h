/* Ranges: what can be asked of them, and algorithms on one as a whole or on two iterators, with a projection of each
   element. */
#ifndef STATEGLASS_WHOLE_RANGES_H
#define STATEGLASS_WHOLE_RANGES_H

#if __cplusplus >= 202002L

#include <stateglass/calling.h>

namespace std {
namespace ranges {

template <class T> concept range = requires(T &range) {
    std::begin(range);
    std::end(range);
};
template <range Range> using iterator_t = decltype(std::begin(declval<Range &>()));
template <range Range> using sentinel_t = decltype(std::end(declval<Range &>()));
template <range Range> using range_reference_t = decltype(*declval<iterator_t<Range> &>());
template <range Range> using range_value_t = typename iterator_traits<iterator_t<Range>>::value_type;
template <range Range> using range_difference_t = typename iterator_traits<iterator_t<Range>>::difference_type;
template <range Range> using range_size_t = decltype(std::size(declval<Range &>()));
template <class T> concept sized_range = range<T> && requires(T &range) { std::size(range); };
template <class T> concept common_range = range<T> && is_same<iterator_t<T>, sentinel_t<T>>::value;
template <class T> concept input_range = range<T> && std::inside::is_at_least<iterator_t<T>, input_iterator_tag>;
template <class T> concept forward_range = input_range<T> && std::inside::is_at_least<iterator_t<T>, forward_iterator_tag>;
template <class T>
concept bidirectional_range = forward_range<T> && std::inside::is_at_least<iterator_t<T>, bidirectional_iterator_tag>;
template <class T>
concept random_access_range = bidirectional_range<T> && std::inside::is_at_least<iterator_t<T>, random_access_iterator_tag>;
template <class T> concept contiguous_range = random_access_range<T> && is_pointer<iterator_t<T>>::value;

template <class Range> constexpr auto begin(Range &&range) { return std::begin(range); }
template <class Range> constexpr auto end(Range &&range) { return std::end(range); }
template <class Range> constexpr auto size(Range &&range) { return std::size(range); }
template <class Range> constexpr ptrdiff_t ssize(Range &&range) { return static_cast<ptrdiff_t>(std::size(range)); }
template <class Range> constexpr bool empty(Range &&range) { return std::begin(range) == std::end(range); }
template <class Range> constexpr ptrdiff_t distance(Range &&range) { return std::distance(std::begin(range), std::end(range)); }

namespace inside {
/* A question or an order, asked about what a projection makes of elements. */
template <class Function, class Projection> constexpr auto of_projected(Function &function, Projection &projection) {
    return [&function, &projection](auto &&...elements) -> decltype(auto) {
        return std::invoke(function, std::invoke(projection, std::forward<decltype(elements)>(elements))...);
    };
}
template <class T, class Projection> constexpr auto equal_projected(const T &value, Projection &projection) {
    return [&value, &projection](auto &&element) {
        return std::invoke(projection, std::forward<decltype(element)>(element)) == value;
    };
}
}

/* `name` is the algorithm of <algorithm> that does the work, on `condition`. They are objects, so that nobody else's are
   found by their arguments. */
#define STATEGLASS_WITH_CONDITION(name) \
    namespace inside { \
    struct name##_algorithm { \
        template <class Range, class Condition, class Projection = identity, class = decltype(std::begin(declval<Range &>()))> \
        constexpr auto operator()(Range &&range, Condition condition, Projection projection = {}) const { \
            return std::name(std::begin(range), std::end(range), inside::of_projected(condition, projection)); \
        } \
        template < \
            class Iterator, class Condition, class Projection = identity, class = std::inside::if_iterator<Iterator>> \
        constexpr auto operator()(Iterator first, Iterator last, Condition condition, Projection projection = {}) const { \
            return std::name(first, last, inside::of_projected(condition, projection)); \
        } \
    }; \
    } \
    inline constexpr inside::name##_algorithm name{};
STATEGLASS_WITH_CONDITION(find_if)
STATEGLASS_WITH_CONDITION(find_if_not)
STATEGLASS_WITH_CONDITION(all_of)
STATEGLASS_WITH_CONDITION(any_of)
STATEGLASS_WITH_CONDITION(none_of)
STATEGLASS_WITH_CONDITION(count_if)
STATEGLASS_WITH_CONDITION(for_each)
#undef STATEGLASS_WITH_CONDITION

#define STATEGLASS_WITH_ORDER(name) \
    namespace inside { \
    struct name##_algorithm { \
        template <class Range, class Less = less<>, class Projection = identity, class = decltype(std::begin(declval<Range &>()))> \
        constexpr auto operator()(Range &&range, Less order = {}, Projection projection = {}) const { \
            return std::name(std::begin(range), std::end(range), inside::of_projected(order, projection)); \
        } \
        template < \
            class Iterator, class Less = less<>, class Projection = identity, class = std::inside::if_iterator<Iterator>> \
        constexpr auto operator()(Iterator first, Iterator last, Less order = {}, Projection projection = {}) const { \
            return std::name(first, last, inside::of_projected(order, projection)); \
        } \
    }; \
    } \
    inline constexpr inside::name##_algorithm name{};
STATEGLASS_WITH_ORDER(sort)
STATEGLASS_WITH_ORDER(stable_sort)
STATEGLASS_WITH_ORDER(is_sorted)
STATEGLASS_WITH_ORDER(min_element)
STATEGLASS_WITH_ORDER(max_element)
#undef STATEGLASS_WITH_ORDER

namespace inside {
struct find_algorithm {
    template <class Range, class T, class Projection = identity>
    constexpr auto operator()(Range &&range, const T &value, Projection projection = {}) const {
        return std::find_if(std::begin(range), std::end(range), inside::equal_projected(value, projection));
    }
};
struct count_algorithm {
    template <class Range, class T, class Projection = identity>
    constexpr ptrdiff_t operator()(Range &&range, const T &value, Projection projection = {}) const {
        return std::count_if(std::begin(range), std::end(range), inside::equal_projected(value, projection));
    }
};
struct contains_algorithm {
    template <class Range, class T> constexpr bool operator()(Range &&range, const T &value) const {
        return std::find(std::begin(range), std::end(range), value) != std::end(range);
    }
};
struct reverse_algorithm {
    template <class Range> constexpr void operator()(Range &&range) const {
        std::reverse(std::begin(range), std::end(range));
    }
};
struct fill_algorithm {
    template <class Range, class T> constexpr void operator()(Range &&range, const T &value) const {
        std::fill(std::begin(range), std::end(range), value);
    }
};
struct equal_algorithm {
    template <class A, class B> constexpr bool operator()(A &&a, B &&b) const {
        return std::equal(std::begin(a), std::end(a), std::begin(b), std::end(b));
    }
    template <class A, class B, class Same> constexpr bool operator()(A &&a, B &&b, Same same) const {
        return std::equal(std::begin(a), std::end(a), std::begin(b), std::end(b), same);
    }
};
struct replace_algorithm {
    template <class Range, class Old, class New>
    constexpr auto operator()(Range &&range, const Old &old, const New &by) const {
        for (auto &&element : range)
            if (element == old)
                element = by;
        return std::end(range);
    }
};
/* Where a value is, or would be, in a range that is sorted. */
struct lower_bound_algorithm {
    template <class Range, class T, class Less = less<>, class Projection = identity>
    constexpr auto operator()(Range &&range, const T &value, Less order = {}, Projection projection = {}) const {
        return std::find_if_not(std::begin(range), std::end(range), [&](auto &&element) -> bool {
            return std::invoke(order, std::invoke(projection, element), value);
        });
    }
};
struct upper_bound_algorithm {
    template <class Range, class T, class Less = less<>, class Projection = identity>
    constexpr auto operator()(Range &&range, const T &value, Less order = {}, Projection projection = {}) const {
        return std::find_if(std::begin(range), std::end(range), [&](auto &&element) -> bool {
            return std::invoke(order, value, std::invoke(projection, element));
        });
    }
};
struct binary_search_algorithm {
    template <class Range, class T, class Less = less<>, class Projection = identity>
    constexpr bool operator()(Range &&range, const T &value, Less order = {}, Projection projection = {}) const {
        auto found = lower_bound_algorithm()(range, value, order, projection);
        return found != std::end(range) && !std::invoke(order, value, std::invoke(projection, *found));
    }
};
/* Where copying ended, on both sides. */
template <class In, class Out> struct in_and_out {
    In in;
    Out out;
};
struct copy_algorithm {
    template <class Range, class Out> constexpr auto operator()(Range &&range, Out to) const {
        return in_and_out<decltype(std::end(range)), Out>{std::end(range), std::copy(std::begin(range), std::end(range), to)};
    }
};
struct transform_algorithm {
    template <class Range, class Out, class Function, class Projection = identity>
    constexpr auto operator()(Range &&range, Out to, Function function, Projection projection = {}) const {
        return in_and_out<decltype(std::end(range)), Out>{
            std::end(range),
            std::transform(std::begin(range), std::end(range), to, inside::of_projected(function, projection))};
    }
};
}
inline constexpr inside::find_algorithm find{};
inline constexpr inside::count_algorithm count{};
inline constexpr inside::contains_algorithm contains{};
inline constexpr inside::reverse_algorithm reverse{};
inline constexpr inside::fill_algorithm fill{};
inline constexpr inside::equal_algorithm equal{};
inline constexpr inside::replace_algorithm replace{};
inline constexpr inside::lower_bound_algorithm lower_bound{};
inline constexpr inside::upper_bound_algorithm upper_bound{};
inline constexpr inside::binary_search_algorithm binary_search{};
inline constexpr inside::copy_algorithm copy{};
inline constexpr inside::transform_algorithm transform{};

}
}

#endif

#endif

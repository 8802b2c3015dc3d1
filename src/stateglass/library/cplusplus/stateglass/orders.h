/* What <algorithm> does to ranges that are in some order: sorted ones as sets, heaps, partitions, permutations. */
#ifndef STATEGLASS_ORDERS_H
#define STATEGLASS_ORDERS_H

namespace std {

template <class Iterator, class Less> constexpr Iterator is_sorted_until(Iterator first, Iterator last, Less less) {
    if (first == last)
        return last;
    Iterator next = first;
    while (++next != last && !less(*next, *first))
        first = next;
    return next;
}
template <class Iterator> constexpr Iterator is_sorted_until(Iterator first, Iterator last) {
    return std::is_sorted_until(first, last, less<>());
}
template <class Iterator, class T, class Less>
constexpr pair<Iterator, Iterator> equal_range(Iterator first, Iterator last, const T &value, Less less) {
    return pair<Iterator, Iterator>(
        std::lower_bound(first, last, value, less), std::upper_bound(first, last, value, less));
}
template <class Iterator, class T>
constexpr pair<Iterator, Iterator> equal_range(Iterator first, Iterator last, const T &value) {
    return std::equal_range(first, last, value, less<>());
}
template <class Iterator, class T, class Less>
constexpr bool binary_search(Iterator first, Iterator last, const T &value, Less less) {
    Iterator found = std::lower_bound(first, last, value, less);
    return found != last && !less(value, *found);
}
template <class Iterator, class Less>
constexpr void nth_element(Iterator first, Iterator, Iterator last, Less less) {
    std::sort(first, last, less);
}
template <class Iterator, class Less>
constexpr void partial_sort(Iterator first, Iterator, Iterator last, Less less) {
    std::sort(first, last, less);
}
template <class Iterator, class Less>
constexpr void inplace_merge(Iterator first, Iterator, Iterator last, Less less) {
    std::stable_sort(first, last, less);
}
template <class Iterator> constexpr void inplace_merge(Iterator first, Iterator, Iterator last) {
    std::stable_sort(first, last);
}

/* Partitions. */
template <class Iterator, class Condition>
constexpr Iterator stable_partition(Iterator first, Iterator last, Condition condition) {
    Iterator border = first;
    for (; first != last; ++first)
        if (condition(*first)) {
            std::rotate(border, first, std::next(first));
            ++border;
        }
    return border;
}
template <class Iterator, class Condition>
constexpr Iterator partition_point(Iterator first, Iterator last, Condition condition) {
    return std::find_if_not(first, last, condition);
}
template <class Iterator, class Condition>
constexpr bool is_partitioned(Iterator first, Iterator last, Condition condition) {
    return std::find_if(std::find_if_not(first, last, condition), last, condition) == last;
}
template <class From, class A, class B, class Condition>
constexpr pair<A, B> partition_copy(From first, From last, A yes, B no, Condition condition) {
    for (; first != last; ++first)
        if (condition(*first))
            *yes++ = *first;
        else
            *no++ = *first;
    return pair<A, B>(yes, no);
}

/* Two sorted ranges as sets. What is in both comes from the first one. */
template <class A, class B, class To, class Less>
constexpr To set_union(A first, A last, B other, B other_last, To to, Less less) {
    while (first != last && other != other_last)
        if (less(*other, *first)) {
            *to++ = *other++;
        } else {
            if (!less(*first, *other))
                ++other;
            *to++ = *first++;
        }
    return std::copy(other, other_last, std::copy(first, last, to));
}
template <class A, class B, class To, class Less>
constexpr To set_intersection(A first, A last, B other, B other_last, To to, Less less) {
    while (first != last && other != other_last)
        if (less(*first, *other)) {
            ++first;
        } else {
            if (!less(*other, *first))
                *to++ = *first++;
            ++other;
        }
    return to;
}
template <class A, class B, class To, class Less>
constexpr To set_difference(A first, A last, B other, B other_last, To to, Less less) {
    while (first != last && other != other_last)
        if (less(*first, *other)) {
            *to++ = *first++;
        } else {
            if (!less(*other, *first))
                ++first;
            ++other;
        }
    return std::copy(first, last, to);
}
template <class A, class B, class To, class Less>
constexpr To set_symmetric_difference(A first, A last, B other, B other_last, To to, Less less) {
    while (first != last && other != other_last)
        if (less(*first, *other)) {
            *to++ = *first++;
        } else if (less(*other, *first)) {
            *to++ = *other++;
        } else {
            ++first;
            ++other;
        }
    return std::copy(other, other_last, std::copy(first, last, to));
}
#define STATEGLASS_OF_SETS(name) \
    template <class A, class B, class To> constexpr To name(A first, A last, B other, B other_last, To to) { \
        return std::name(first, last, other, other_last, to, less<>()); \
    }
STATEGLASS_OF_SETS(set_union)
STATEGLASS_OF_SETS(set_intersection)
STATEGLASS_OF_SETS(set_difference)
STATEGLASS_OF_SETS(set_symmetric_difference)
#undef STATEGLASS_OF_SETS

/* Heaps: no element is less than those at twice its number, and one more, and two more. */
template <class Iterator, class Less> constexpr void push_heap(Iterator first, Iterator last, Less less) {
    auto at = last - first - 1;
    while (at > 0 && less(first[(at - 1) / 2], first[at])) {
        std::iter_swap(first + at, first + (at - 1) / 2);
        at = (at - 1) / 2;
    }
}
namespace inside {
template <class Iterator, class Less> constexpr void sink(Iterator first, ptrdiff_t at, ptrdiff_t count, Less less) {
    while (2 * at + 1 < count) {
        ptrdiff_t greatest = 2 * at + 1;
        if (greatest + 1 < count && less(first[greatest], first[greatest + 1]))
            ++greatest;
        if (!less(first[at], first[greatest]))
            return;
        std::iter_swap(first + at, first + greatest);
        at = greatest;
    }
}
}
template <class Iterator, class Less> constexpr void pop_heap(Iterator first, Iterator last, Less less) {
    ptrdiff_t count = last - first;
    if (count > 1) {
        std::iter_swap(first, last - 1);
        inside::sink(first, 0, count - 1, less);
    }
}
template <class Iterator, class Less> constexpr void make_heap(Iterator first, Iterator last, Less less) {
    ptrdiff_t count = last - first;
    for (ptrdiff_t at = count / 2; at-- > 0;)
        inside::sink(first, at, count, less);
}
template <class Iterator, class Less> constexpr void sort_heap(Iterator first, Iterator last, Less less) {
    std::stable_sort(first, last, less);
}
template <class Iterator, class Less> constexpr bool is_heap(Iterator first, Iterator last, Less less) {
    for (ptrdiff_t at = 1, count = last - first; at < count; ++at)
        if (less(first[(at - 1) / 2], first[at]))
            return false;
    return true;
}
template <class Iterator> constexpr void push_heap(Iterator first, Iterator last) { std::push_heap(first, last, less<>()); }
template <class Iterator> constexpr void pop_heap(Iterator first, Iterator last) { std::pop_heap(first, last, less<>()); }
template <class Iterator> constexpr void make_heap(Iterator first, Iterator last) { std::make_heap(first, last, less<>()); }
template <class Iterator> constexpr void sort_heap(Iterator first, Iterator last) { std::sort_heap(first, last, less<>()); }
template <class Iterator> constexpr bool is_heap(Iterator first, Iterator last) {
    return std::is_heap(first, last, less<>());
}

/* Permutations, in the order of dictionaries. */
template <class Iterator, class Less> constexpr bool next_permutation(Iterator first, Iterator last, Less less) {
    if (first == last)
        return false;
    for (Iterator at = std::prev(last); at != first;) {
        Iterator behind = at;
        --at;
        if (less(*at, *behind)) {
            Iterator greater = std::prev(last);
            while (!less(*at, *greater))
                --greater;
            std::iter_swap(at, greater);
            std::reverse(behind, last);
            return true;
        }
    }
    std::reverse(first, last);
    return false;
}
template <class Iterator> constexpr bool next_permutation(Iterator first, Iterator last) {
    return std::next_permutation(first, last, less<>());
}
template <class Iterator> constexpr bool prev_permutation(Iterator first, Iterator last) {
    return std::next_permutation(first, last, greater<>());
}
template <class A, class B> constexpr bool is_permutation(A first, A last, B other, B other_last) {
    if (std::distance(first, last) != std::distance(other, other_last))
        return false;
    for (A at = first; at != last; ++at)
        if (std::count(first, last, *at) != std::count(other, other_last, *at))
            return false;
    return true;
}
template <class A, class B> constexpr bool is_permutation(A first, A last, B other) {
    return std::is_permutation(first, last, other, std::next(other, std::distance(first, last)));
}

}

#endif

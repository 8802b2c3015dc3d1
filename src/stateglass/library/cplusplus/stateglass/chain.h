/* Elements that stay where they are: each in memory of its own, in a chain. Lists, maps and sets are made of it. */
#ifndef STATEGLASS_CHAIN_H
#define STATEGLASS_CHAIN_H

#include <iterator>
#include <stateglass/elements.h>

namespace std {
namespace inside {

template <class T> struct link {
    link *before;
    link *after;
    T value;
    template <class... Arguments>
    explicit link(Arguments &&...arguments) : before(nullptr), after(nullptr), value(std::forward<Arguments>(arguments)...) {}
};

template <class T> class chain;

/* A position: an element, or none behind the last one. */
template <class T, class Reference> class chain_iterator {
public:
    link<T> *at;
    const chain<T> *owner;

    using iterator_category = bidirectional_iterator_tag;
    using value_type = T;
    using difference_type = ptrdiff_t;
    using pointer = remove_reference_t<Reference> *;
    using reference = Reference;

    chain_iterator() : at(nullptr), owner(nullptr) {}
    chain_iterator(link<T> *position, const chain<T> *whose) : at(position), owner(whose) {}
    template <class Other, class = enable_if_t<is_convertible<Other, Reference>::value>>
    chain_iterator(const chain_iterator<T, Other> &other) : at(other.at), owner(other.owner) {}

    Reference operator*() const { return at->value; }
    pointer operator->() const { return __builtin_addressof(at->value); }
    chain_iterator &operator++() {
        at = at->after;
        return *this;
    }
    chain_iterator operator++(int) {
        chain_iterator old = *this;
        at = at->after;
        return old;
    }
    chain_iterator &operator--() {
        at = at ? at->before : owner->last;
        within(at != nullptr);
        return *this;
    }
    chain_iterator operator--(int) {
        chain_iterator old = *this;
        --*this;
        return old;
    }
};

template <class T, class A, class B> bool operator==(const chain_iterator<T, A> &x, const chain_iterator<T, B> &y) {
    return x.at == y.at;
}
template <class T, class A, class B> bool operator!=(const chain_iterator<T, A> &x, const chain_iterator<T, B> &y) {
    return x.at != y.at;
}

template <class T> class chain {
public:
    link<T> *first;
    link<T> *last;
    size_t count;

    chain() noexcept : first(nullptr), last(nullptr), count(0) {}
    chain(const chain &) = delete;
    chain &operator=(const chain &) = delete;
    ~chain() { clear(); }

    void put(link<T> *made, link<T> *where) {
        made->after = where;
        made->before = where ? where->before : last;
        (made->before ? made->before->after : first) = made;
        (where ? where->before : last) = made;
        ++count;
    }
    /* The element is not in the chain any more, but there; what follows it. */
    link<T> *take(link<T> *element) {
        link<T> *next = element->after;
        (element->before ? element->before->after : first) = next;
        (next ? next->before : last) = element->before;
        --count;
        return next;
    }
    link<T> *remove(link<T> *element) {
        link<T> *next = take(element);
        delete element;
        return next;
    }
    void clear() {
        while (first)
            remove(first);
    }
    void clear_from_behind() {
        while (last)
            remove(last);
    }
    void swap(chain &other) noexcept {
        std::swap(first, other.first);
        std::swap(last, other.last);
        std::swap(count, other.count);
    }
};

}
}

#endif

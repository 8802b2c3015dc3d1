/* What maps and sets have in common: elements in a chain that are found by their keys.

   An `Order` says how keys are told apart and where an element with a key has its place. */
#ifndef STATEGLASS_KEYED_H
#define STATEGLASS_KEYED_H

#include <functional>
#include <initializer_list>
#include <stateglass/chain.h>
#include <stdexcept>

namespace std {
namespace inside {

/* By a comparison. */
template <class Key, class Less> struct sorted_order {
    static constexpr bool ends_from_behind = true; // as g++ has it
    Less less;
    sorted_order() : less() {}
    explicit sorted_order(const Less &given) : less(given) {}

    /* The first element that is not before the key. */
    template <class Link, class KeyOf> Link *first_of(Link *at, const Key &key, KeyOf key_of) const {
        while (at && less(key_of(at->value), key))
            at = at->after;
        return at;
    }
    template <class Link, class KeyOf> Link *place_for(Link *at, const Key &key, KeyOf key_of) const {
        while (at && !less(key, key_of(at->value)))
            at = at->after;
        return at;
    }
    bool same(const Key &x, const Key &y) const { return !less(x, y) && !less(y, x); }
};

/* By a hash: elements of equal hashes stand together, so that the order is that of the hashes. */
template <class Key, class Hash, class Equal> struct hashed_order {
    static constexpr bool ends_from_behind = false;
    Hash hash;
    Equal equal;
    hashed_order() : hash(), equal() {}
    hashed_order(const Hash &h, const Equal &e) : hash(h), equal(e) {}

    template <class Link, class KeyOf> Link *first_of(Link *at, const Key &key, KeyOf key_of) const {
        while (at && !equal(key_of(at->value), key))
            at = at->after;
        return at;
    }
    template <class Link, class KeyOf> Link *place_for(Link *at, const Key &key, KeyOf key_of) const {
        Link *known = first_of(at, key, key_of);
        if (known) {
            while (known && equal(key_of(known->value), key))
                known = known->after;
            return known;
        }
        size_t number = hash(key);
        while (at && hash(key_of(at->value)) <= number)
            at = at->after;
        return at;
    }
    bool same(const Key &x, const Key &y) const { return equal(x, y); }
};

struct key_is_value {
    template <class T> const T &operator()(const T &value) const { return value; }
};
struct key_is_first {
    template <class Pair> const typename Pair::first_type &operator()(const Pair &value) const { return value.first; }
};

template <class Key, class T, class KeyOf, class Order, bool Multiple> class keyed {
protected:
    chain<T> elements;
    Order order;

    using element_link = link<T>;
    static constexpr bool is_set = is_same<KeyOf, key_is_value>::value;

public:
    using key_type = Key;
    using value_type = T;
    using reference = T &;
    using const_reference = const T &;
    using pointer = T *;
    using const_pointer = const T *;
    using const_iterator = chain_iterator<T, const T &>;
    using iterator = conditional_t<is_set, const_iterator, chain_iterator<T, T &>>;
    using reverse_iterator = std::reverse_iterator<iterator>;
    using const_reverse_iterator = std::reverse_iterator<const_iterator>;
    using size_type = size_t;
    using difference_type = ptrdiff_t;
    using inserted = conditional_t<Multiple, iterator, pair<iterator, bool>>;

    keyed() {}
    explicit keyed(const Order &given) : order(given) {}
    keyed(const keyed &other) : order(other.order) { add_all(other.begin(), other.end()); }
    keyed(keyed &&other) noexcept : order(other.order) { elements.swap(other.elements); }
    ~keyed() { clear(); }
    keyed &operator=(const keyed &other) {
        if (this != &other) {
            clear();
            order = other.order;
            try {
                add_all(other.begin(), other.end());
            } catch (...) {
                clear(); // as g++ has it, all of it or nothing
                throw;
            }
        }
        return *this;
    }
    keyed &operator=(keyed &&other) noexcept {
        if (this != &other) {
            clear();
            order = other.order;
            elements.swap(other.elements);
        }
        return *this;
    }

    size_t size() const noexcept { return elements.count; }
    bool empty() const noexcept { return elements.count == 0; }
    void clear() noexcept {
        if constexpr (Order::ends_from_behind)
            elements.clear_from_behind();
        else
            elements.clear();
    }
    void swap(keyed &other) noexcept {
        elements.swap(other.elements);
        std::swap(order, other.order);
    }

    iterator begin() noexcept { return iterator(elements.first, &elements); }
    const_iterator begin() const noexcept { return const_iterator(elements.first, &elements); }
    const_iterator cbegin() const noexcept { return begin(); }
    iterator end() noexcept { return iterator(nullptr, &elements); }
    const_iterator end() const noexcept { return const_iterator(nullptr, &elements); }
    const_iterator cend() const noexcept { return end(); }

    template <class... Arguments> inserted emplace(Arguments &&...arguments) {
        return add(new element_link(std::forward<Arguments>(arguments)...));
    }
    template <class... Arguments> iterator emplace_hint(const_iterator, Arguments &&...arguments) {
        return position(emplace(std::forward<Arguments>(arguments)...));
    }
    inserted insert(const T &value) { return emplace(value); }
    inserted insert(T &&value) { return emplace(std::move(value)); }
    template <class U, class = enable_if_t<!is_set && is_constructible<T, U &&>::value && !is_same<remove_cvref_t<U>, T>::value>>
    inserted insert(U &&value) {
        return emplace(std::forward<U>(value));
    }
    iterator insert(const_iterator, const T &value) { return position(emplace(value)); }
    iterator insert(const_iterator, T &&value) { return position(emplace(std::move(value))); }
    template <class Iterator, class = if_iterator<Iterator>> void insert(Iterator from, Iterator to) { add_all(from, to); }
    void insert(initializer_list<T> values) { add_all(values.begin(), values.end()); }

    iterator erase(const_iterator where) {
        within(where.at != nullptr);
        return iterator(elements.remove(where.at), &elements);
    }
    template <class Iterator, class = enable_if_t<!is_set && is_same<Iterator, iterator>::value>>
    iterator erase(Iterator where) {
        return erase(const_iterator(where));
    }
    iterator erase(const_iterator from, const_iterator to) {
        while (from.at != to.at)
            from.at = elements.remove(from.at);
        return iterator(to.at, &elements);
    }
    size_t erase(const Key &key) {
        element_link *at = look(key), *behind = at;
        size_t removed = 0;
        for (; behind && order.same(KeyOf()(behind->value), key); ++removed)
            behind = behind->after;
        while (at != behind) // the key may be part of an element, so nothing is removed while it is needed
            at = elements.remove(at);
        return removed;
    }

    /* An element that belongs to no container. */
    class node_type {
        friend class keyed;
        element_link *held;
        explicit node_type(element_link *given) : held(given) {}

    public:
        using key_type = Key;
        node_type() noexcept : held(nullptr) {}
        node_type(node_type &&other) noexcept : held(std::exchange(other.held, nullptr)) {}
        node_type &operator=(node_type &&other) noexcept {
            std::swap(held, other.held);
            return *this;
        }
        ~node_type() { delete held; }
        bool empty() const noexcept { return !held; }
        explicit operator bool() const noexcept { return held != nullptr; }
        Key &key() const { return const_cast<Key &>(held->value.first); }
        auto &mapped() const { return held->value.second; }
        T &value() const { return held->value; }
    };
    struct insert_return_type {
        iterator position;
        bool inserted;
        node_type node;
    };
    node_type extract(const_iterator where) {
        elements.take(where.at);
        return node_type(where.at);
    }
    node_type extract(const Key &key) {
        element_link *found = look(key);
        if (found)
            elements.take(found);
        return node_type(found);
    }
    auto insert(node_type &&node) {
        if constexpr (Multiple) {
            return node.held ? add(std::exchange(node.held, nullptr)) : end();
        } else {
            element_link *known = node.held ? look(KeyOf()(node.held->value)) : nullptr;
            if (!node.held || known)
                return insert_return_type{iterator(known, &elements), false, std::move(node)};
            return insert_return_type{add(std::exchange(node.held, nullptr)).first, true, node_type()};
        }
    }
    /* Those that the other has and this has not come over. */
    template <class Other> void merge(Other &&other) {
        for (auto at = other.begin(); at != other.end();) {
            auto next = std::next(at);
            if (Multiple || !look(KeyOf()(*at)))
                insert(other.extract(at));
            at = next;
        }
    }

    iterator find(const Key &key) { return iterator(look(key), &elements); }
    const_iterator find(const Key &key) const { return const_iterator(look(key), &elements); }
    bool contains(const Key &key) const { return look(key) != nullptr; }
    size_t count(const Key &key) const {
        size_t n = 0;
        for (element_link *at = look(key); at && order.same(KeyOf()(at->value), key); at = at->after)
            ++n;
        return n;
    }
    pair<iterator, iterator> equal_range(const Key &key) {
        return pair<iterator, iterator>(iterator(from(key), &elements), iterator(behind(key), &elements));
    }
    pair<const_iterator, const_iterator> equal_range(const Key &key) const {
        return pair<const_iterator, const_iterator>(
            const_iterator(from(key), &elements), const_iterator(behind(key), &elements));
    }

protected:
    /* Where elements with a key begin, or would. */
    element_link *from(const Key &key) const { return order.first_of(elements.first, key, KeyOf()); }
    element_link *behind(const Key &key) const {
        element_link *at = from(key);
        while (at && order.same(KeyOf()(at->value), key))
            at = at->after;
        return at;
    }
    element_link *look(const Key &key) const {
        element_link *at = from(key);
        return at && order.same(KeyOf()(at->value), key) ? at : nullptr;
    }
    inserted add(element_link *made) {
        const Key &key = KeyOf()(made->value);
        if constexpr (Multiple) {
            elements.put(made, order.place_for(elements.first, key, KeyOf()));
            return iterator(made, &elements);
        } else {
            element_link *known = look(key);
            if (known) {
                delete made;
                return inserted(iterator(known, &elements), false);
            }
            elements.put(made, order.place_for(elements.first, key, KeyOf()));
            return inserted(iterator(made, &elements), true);
        }
    }
    template <class Iterator> void add_all(Iterator at, Iterator end) {
        for (; at != end; ++at)
            emplace(*at);
    }
    static iterator position(const inserted &result) {
        if constexpr (Multiple)
            return result;
        else
            return result.first;
    }
};

/* What is sorted can be looked at from both ends, and around a key. */
template <class Key, class T, class KeyOf, class Less, bool Multiple>
class sorted : public keyed<Key, T, KeyOf, sorted_order<Key, Less>, Multiple> {
    using base = keyed<Key, T, KeyOf, sorted_order<Key, Less>, Multiple>;

public:
    using typename base::const_iterator;
    using typename base::const_reverse_iterator;
    using typename base::iterator;
    using typename base::reverse_iterator;
    using key_compare = Less;

    sorted() {}
    explicit sorted(const Less &less) : base(sorted_order<Key, Less>(less)) {}

    key_compare key_comp() const { return this->order.less; }
    reverse_iterator rbegin() noexcept { return reverse_iterator(this->end()); }
    const_reverse_iterator rbegin() const noexcept { return const_reverse_iterator(this->end()); }
    const_reverse_iterator crbegin() const noexcept { return rbegin(); }
    reverse_iterator rend() noexcept { return reverse_iterator(this->begin()); }
    const_reverse_iterator rend() const noexcept { return const_reverse_iterator(this->begin()); }
    const_reverse_iterator crend() const noexcept { return rend(); }
    iterator lower_bound(const Key &key) { return iterator(this->from(key), &this->elements); }
    const_iterator lower_bound(const Key &key) const { return const_iterator(this->from(key), &this->elements); }
    iterator upper_bound(const Key &key) { return iterator(this->behind(key), &this->elements); }
    const_iterator upper_bound(const Key &key) const { return const_iterator(this->behind(key), &this->elements); }
};

/* What goes by hashes. There are no buckets, and as many as nobody minds when they are counted. */
template <class Key, class T, class KeyOf, class Hash, class Equal, bool Multiple>
class hashed : public keyed<Key, T, KeyOf, hashed_order<Key, Hash, Equal>, Multiple> {
    using base = keyed<Key, T, KeyOf, hashed_order<Key, Hash, Equal>, Multiple>;

public:
    using hasher = Hash;
    using key_equal = Equal;

    hashed() {}
    hashed(const Hash &hash, const Equal &equal) : base(hashed_order<Key, Hash, Equal>(hash, equal)) {}
    hasher hash_function() const { return this->order.hash; }
    key_equal key_eq() const { return this->order.equal; }
    void reserve(size_t) {}
    void rehash(size_t) {}
    size_t bucket_count() const noexcept { return this->size() + 1; }
    float load_factor() const noexcept { return static_cast<float>(this->size()) / bucket_count(); }
    float max_load_factor() const noexcept { return 1; }
    void max_load_factor(float) {}
};

/* Two of them are equal if they have the same elements, in whatever order. */
template <class Container> bool same_elements(const Container &x, const Container &y) {
    if (x.size() != y.size())
        return false;
    for (const auto &element : x) {
        size_t here = 0, there = 0;
        for (const auto &other : x)
            here += other == element;
        for (const auto &other : y)
            there += other == element;
        if (here != there)
            return false;
    }
    return true;
}

struct given_order {};

/* Access by key, for maps with one value for each. */
template <class Key, class Value, class Base> class mapping : public Base {
public:
    using mapped_type = Value;
    using typename Base::const_iterator;
    using typename Base::iterator;

    mapping() {}
    template <class... Orders> mapping(given_order, const Orders &...orders) : Base(orders...) {}
    mapping(const mapping &) = default;
    mapping(mapping &&) = default;
    mapping &operator=(const mapping &) = default;
    mapping &operator=(mapping &&) = default;

    Value &operator[](const Key &key) { return try_emplace(key).first->second; }
    Value &operator[](Key &&key) { return try_emplace(std::move(key)).first->second; }
    Value &at(const Key &key) {
        auto *found = this->look(key);
        if (!found)
            throw_out_of_range("map::at");
        return found->value.second;
    }
    const Value &at(const Key &key) const {
        auto *found = this->look(key);
        if (!found)
            throw_out_of_range("map::at");
        return found->value.second;
    }
    template <class K, class... Arguments> pair<iterator, bool> try_emplace(K &&key, Arguments &&...arguments) {
        auto *found = this->look(key);
        if (found)
            return pair<iterator, bool>(iterator(found, &this->elements), false);
        return this->add(
            new typename Base::element_link(in_two_parts(), std::forward<K>(key), std::forward<Arguments>(arguments)...));
    }
    template <class K, class V> pair<iterator, bool> insert_or_assign(K &&key, V &&value) {
        auto *found = this->look(key);
        if (!found)
            return this->emplace(std::forward<K>(key), std::forward<V>(value));
        found->value.second = std::forward<V>(value);
        return pair<iterator, bool>(iterator(found, &this->elements), false);
    }
};

}
}

#include <algorithm> // programs rely on what the headers of others bring along

#endif

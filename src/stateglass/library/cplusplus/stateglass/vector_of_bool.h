/* `vector<bool>`: its elements cannot be referred to, only by way of objects that stand for them. */
#ifndef STATEGLASS_VECTOR_OF_BOOL_H
#define STATEGLASS_VECTOR_OF_BOOL_H

namespace std {
namespace inside {

class bit_reference {
    char *at;

public:
    explicit bit_reference(char *position) noexcept : at(position) {}
    bit_reference(const bit_reference &) = default;
    operator bool() const noexcept { return *at != 0; }
    bool operator~() const noexcept { return *at == 0; }
    bit_reference &operator=(bool value) noexcept {
        *at = value;
        return *this;
    }
    bit_reference &operator=(const bit_reference &other) noexcept { return *this = static_cast<bool>(other); }
    void flip() noexcept { *at = *at == 0; }
    friend void swap(bit_reference x, bit_reference y) noexcept {
        bool kept = x;
        x = y;
        y = kept;
    }
    friend void swap(bit_reference x, bool &y) noexcept {
        bool kept = x;
        x = y;
        y = kept;
    }
};

template <class Reference> class bit_iterator {
public:
    char *at;

    using iterator_category = random_access_iterator_tag;
    using value_type = bool;
    using difference_type = ptrdiff_t;
    using pointer = void;
    using reference = Reference;

    bit_iterator() : at(nullptr) {}
    explicit bit_iterator(char *position) : at(position) {}
    template <class Other, class = enable_if_t<is_convertible<Other, Reference>::value>>
    bit_iterator(const bit_iterator<Other> &other) : at(other.at) {}

    Reference operator*() const {
        if constexpr (is_same<Reference, bool>::value)
            return *at != 0;
        else
            return Reference(at);
    }
    Reference operator[](ptrdiff_t n) const { return *(*this + n); }
    bit_iterator &operator++() {
        ++at;
        return *this;
    }
    bit_iterator operator++(int) { return bit_iterator(at++); }
    bit_iterator &operator--() {
        --at;
        return *this;
    }
    bit_iterator operator--(int) { return bit_iterator(at--); }
    bit_iterator &operator+=(ptrdiff_t n) {
        at += n;
        return *this;
    }
    bit_iterator &operator-=(ptrdiff_t n) {
        at -= n;
        return *this;
    }
    bit_iterator operator+(ptrdiff_t n) const { return bit_iterator(at + n); }
    bit_iterator operator-(ptrdiff_t n) const { return bit_iterator(at - n); }
    friend bit_iterator operator+(ptrdiff_t n, const bit_iterator &x) { return x + n; }
};

template <class A, class B> ptrdiff_t operator-(const bit_iterator<A> &x, const bit_iterator<B> &y) { return x.at - y.at; }
#define STATEGLASS_COMPARE_POSITIONS(operation) \
    template <class A, class B> bool operator operation(const bit_iterator<A> &x, const bit_iterator<B> &y) { \
        return x.at operation y.at; \
    }
STATEGLASS_COMPARE_POSITIONS(==)
STATEGLASS_COMPARE_POSITIONS(!=)
STATEGLASS_COMPARE_POSITIONS(<)
STATEGLASS_COMPARE_POSITIONS(>)
STATEGLASS_COMPARE_POSITIONS(<=)
STATEGLASS_COMPARE_POSITIONS(>=)
#undef STATEGLASS_COMPARE_POSITIONS

}

template <> class vector<bool> {
    vector<char> bits;

public:
    using value_type = bool;
    using reference = inside::bit_reference;
    using const_reference = bool;
    using iterator = inside::bit_iterator<inside::bit_reference>;
    using const_iterator = inside::bit_iterator<bool>;
    using reverse_iterator = std::reverse_iterator<iterator>;
    using const_reverse_iterator = std::reverse_iterator<const_iterator>;
    using size_type = size_t;
    using difference_type = ptrdiff_t;

    vector() noexcept {}
    explicit vector(size_t n, bool value = false) : bits(n, value) {}
    template <class Iterator, class = inside::if_iterator<Iterator>> vector(Iterator from, Iterator to) { assign(from, to); }
    vector(initializer_list<bool> values) : vector(values.begin(), values.end()) {}
    vector &operator=(initializer_list<bool> values) {
        assign(values.begin(), values.end());
        return *this;
    }
    void assign(size_t n, bool value) { bits.assign(n, value); }
    template <class Iterator, class = inside::if_iterator<Iterator>> void assign(Iterator from, Iterator to) {
        vector<char> made;
        for (; from != to; ++from)
            made.push_back(static_cast<bool>(*from));
        bits.swap(made);
    }

    size_t size() const noexcept { return bits.size(); }
    size_t capacity() const noexcept { return bits.capacity(); }
    bool empty() const noexcept { return bits.empty(); }
    void reserve(size_t n) { bits.reserve(n); }
    void shrink_to_fit() { bits.shrink_to_fit(); }

    reference operator[](size_t i) { return reference(&bits[i]); }
    bool operator[](size_t i) const { return bits[i]; }
    reference at(size_t i) {
        check(i);
        return (*this)[i];
    }
    bool at(size_t i) const {
        check(i);
        return (*this)[i];
    }
    reference front() { return (*this)[0]; }
    bool front() const { return (*this)[0]; }
    reference back() { return (*this)[size() - 1]; }
    bool back() const { return (*this)[size() - 1]; }

    iterator begin() noexcept { return iterator(bits.data()); }
    const_iterator begin() const noexcept { return const_iterator(const_cast<char *>(bits.data())); }
    const_iterator cbegin() const noexcept { return begin(); }
    iterator end() noexcept { return begin() + size(); }
    const_iterator end() const noexcept { return begin() + size(); }
    const_iterator cend() const noexcept { return end(); }
    reverse_iterator rbegin() noexcept { return reverse_iterator(end()); }
    const_reverse_iterator rbegin() const noexcept { return const_reverse_iterator(end()); }
    reverse_iterator rend() noexcept { return reverse_iterator(begin()); }
    const_reverse_iterator rend() const noexcept { return const_reverse_iterator(begin()); }

    void push_back(bool value) { bits.push_back(value); }
    reference emplace_back(bool value = false) {
        bits.push_back(value);
        return back();
    }
    void pop_back() { bits.pop_back(); }
    void clear() noexcept { bits.clear(); }
    void resize(size_t n, bool value = false) { bits.resize(n, value); }
    iterator insert(const_iterator where, bool value) { return iterator(bits.insert(where.at, value)); }
    iterator insert(const_iterator where, size_t n, bool value) { return iterator(bits.insert(where.at, n, value)); }
    iterator erase(const_iterator where) { return iterator(bits.erase(where.at)); }
    iterator erase(const_iterator from, const_iterator to) { return iterator(bits.erase(from.at, to.at)); }
    void flip() noexcept {
        for (char &bit : bits)
            bit = !bit;
    }
    void swap(vector &other) noexcept { bits.swap(other.bits); }

private:
    void check(size_t i) const {
        if (i >= size())
            inside::throw_out_of_range("vector<bool>::at");
    }
};

}

#endif

// What generated classes use besides what is generated: patterns that C++ programs have, one after the other.

// ---- lives and exceptions

struct Traced {
    int v;
    Traced(int a) : v(clip(a)) {
        event(200, v);
        if (v % 13 == 12) throw std::invalid_argument("traced");
    }
    Traced(const Traced &o) : v(o.v) { event(201, v); }
    Traced(Traced &&o) noexcept : v(o.v) {
        o.v = -1;
        event(202, v);
    }
    Traced &operator=(const Traced &o) {
        event(203, v);
        v = o.v;
        return *this;
    }
    Traced &operator=(Traced &&o) noexcept {
        event(204, v);
        v = o.v;
        o.v = -2;
        return *this;
    }
    ~Traced() { event(205, v); }
    int which() & { return 1; }
    int which() const & { return 2; }
    int which() && { return 3; }
};

struct Failure : std::runtime_error {
    Traced part;
    Failure(int x) : std::runtime_error(x % 2 ? "odd" : "even"), part(x) {}
};

struct Guarded {
    Traced first, second;
    Guarded(int x) : first(x), second(x + 6) {
        try {
            if (x % 3 == 0) throw Failure(x);
            event(210, x);
        } catch (const Failure &e) {
            event(211, e.part.v);
            if (x % 2) throw;
            throw 77;
        }
    }
};

struct Row {
    Traced parts[3];
    Row(int x) : parts{x, x + 1, x + 2} {}
};

struct Careful {
    int &log;
    ~Careful() {
        try {
            log = clip(log + 1);
            if (log % 2) throw Traced(log);
        } catch (const Traced &t) {
            event(213, t.v);
        } catch (...) {
            event(214, 0);
        }
    }
};

template <class F> struct AtEnd {
    F f;
    ~AtEnd() { f(); }
};
template <class F> AtEnd(F) -> AtEnd<F>;

inline int deepest(int x) {
    Traced t(x);
    if (x % 5 == 1) throw Failure(x);
    if (x % 5 == 2) throw std::out_of_range("deep");
    if (x % 5 == 3) throw x;
    return t.v;
}
inline int middle(int x) {
    Traced t(x + 100);
    try {
        return deepest(x) + 1;
    } catch (std::logic_error &e) {
        event(215, e.what()[0]);
        throw std::runtime_error("again");
    }
}
inline int outermost(int x) noexcept(false) {
    AtEnd end{[&] { event(216, x); }};
    return middle(x) * 2;
}
inline int caught(int x) {
    for (int i = 0; i < 3; i++) {
        try {
            if (i == 2) return clip(outermost(x + i));
            event(217, outermost(x + i));
        } catch (const std::exception &e) {
            event(218, e.what()[0]);
            if (x % 2) continue;
            break;
        } catch (...) {
            event(219, i);
            throw;
        }
    }
    return x;
}
inline int &settled(int x) {
    static int value = x % 2 ? throw Failure(x) : event(220, x);
    return value;
}

// ---- classes of several kinds

struct Shape {
    virtual ~Shape() { event(230, 0); }
    virtual int area() const = 0;
    virtual Shape *copy() const = 0;
    int twice() const { return area() * 2; }
};
struct Square : Shape {
    int side;
    explicit Square(int s) : side(s) {}
    int area() const override { return side * side; }
    Square *copy() const override { return new Square(*this); }
};
struct Tall final : Square {
    int height;
    Tall(int s, int h) : Square(s), height(h) {}
    int area() const override { return Square::area() + height; }
    Tall *copy() const override { return new Tall(*this); }
    ~Tall() override { event(231, height); }
};

template <class T> struct Counting {
    inline static int made = 0;
    Counting() { ++made; }
    Counting(const Counting &) { ++made; }
    ~Counting() { --made; }
    int self() const { return static_cast<const T *>(this)->number(); }
};
struct One : Counting<One> {
    int n = 3;
    One() = default;
    using base = Counting<One>;
    int number() const { return n; }
};
struct Two : Counting<Two> {
    int number() const { return made; }
};
struct Named : Traced {
    using Traced::Traced;
    std::string name = "named";
    int size() const { return static_cast<int>(name.size()) + v; }
};

class Buffer {
    int *data;
    int count;

public:
    Buffer(int n, int value) : data(new int[n]), count(n) {
        for (int i = 0; i < n; i++) data[i] = value + i;
    }
    Buffer(const Buffer &o) : data(new int[o.count]), count(o.count) { std::copy(o.data, o.data + count, data); }
    Buffer(Buffer &&o) noexcept : data(std::exchange(o.data, nullptr)), count(std::exchange(o.count, 0)) {}
    Buffer &operator=(Buffer o) noexcept {
        swap(*this, o);
        return *this;
    }
    ~Buffer() { delete[] data; }
    friend void swap(Buffer &a, Buffer &b) noexcept {
        std::swap(a.data, b.data);
        std::swap(a.count, b.count);
    }
    int *begin() { return data; }
    int *end() { return data + count; }
    const int *begin() const { return data; }
    const int *end() const { return data + count; }
    int size() const { return count; }
};

struct Node {
    int key;
    std::unique_ptr<Node> left, right;
    explicit Node(int k) : key(k) {}
    ~Node() { event(232, key); }
};
inline void add(std::unique_ptr<Node> &tree, int key) {
    if (!tree) tree = std::make_unique<Node>(key);
    else add(key < tree->key ? tree->left : tree->right, key);
}
inline int depth(const std::unique_ptr<Node> &tree) {
    return tree ? 1 + std::max(depth(tree->left), depth(tree->right)) : 0;
}

struct Flags {
    unsigned low : 3;
    unsigned high : 5;
    bool on : 1;
    int rest = 4;
};
struct Point {
    int x = 1, y = x + 1;
};
struct Line {
    Point from, to;
    const char *name = "line";
};

// ---- templates

template <class T, class U = T> struct Both {
    T a;
    U b;
    template <class V> auto plus(V v) const { return a + b + v; }
    template <class V> operator Both<V>() const { return {static_cast<V>(a), static_cast<V>(b)}; }
    friend bool operator==(const Both &x, const Both &y) { return x.a == y.a && x.b == y.b; }
};
template <class T> constexpr int width = sizeof(T) * 2;
template <> inline constexpr int width<char> = 9;
template <class T> int kind(const T &) { return 1; }
template <class T> int kind(T *const &) { return 2; }
inline int kind(int) { return 3; }
template <class T> int sorted_by(T x) {
    if constexpr (std::is_same_v<T, int>) return x * 2;
    else if constexpr (std::is_pointer_v<T>) return *x;
    else return static_cast<int>(x) + 1;
}
constexpr int triangle(int n) { return n <= 0 ? 0 : n + triangle(n - 1); }
template <int... N> constexpr int added = (0 + ... + N);
template <class T> concept Sized = requires(const T &x) { x.size(); };
template <Sized T> int measured(const T &x) { return static_cast<int>(x.size()); }
template <class T> int measured(const T &) { return -1; }
constexpr long long operator""_k(unsigned long long x) { return static_cast<long long>(x) * 10; }

struct Stream {
    int sum = 0;
    Stream &operator<<(int x) {
        sum = clip(sum * 3 + x);
        return *this;
    }
    Stream &operator<<(const char *text) {
        for (; *text; ++text) sum = clip(sum + *text);
        return *this;
    }
    Stream *operator->() { return this; }
    explicit operator bool() const { return sum % 2; }
};

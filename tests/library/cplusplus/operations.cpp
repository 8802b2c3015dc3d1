// What can be done to containers, one function for each: a byte of a sequence is an operation and its argument.
#include <algorithm>
#include <deque>
#include <forward_list>
#include <list>
#include <map>
#include <optional>
#include <queue>
#include <set>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

extern "C" void observe(long long value);

// A value that is counted, so that one which is lost or destroyed twice is noticed.
struct Counted {
    static int alive;
    int n;
    Counted(int value = 0) : n(value) { ++alive; }
    Counted(const Counted &other) : n(other.n) { ++alive; }
    Counted(Counted &&other) noexcept : n(other.n) {
        other.n = -1;
        ++alive;
    }
    Counted &operator=(const Counted &) = default;
    ~Counted() { --alive; }
    bool operator==(const Counted &other) const { return n == other.n; }
    bool operator<(const Counted &other) const { return n < other.n; }
};
int Counted::alive = 0;

static int plain(int n) { return n; }
static int plain(const Counted &value) { return value.n; }
template <class A, class B> static int plain(const std::pair<const A, B> &value) { return plain(value.first) * 10 + plain(value.second); }

template <class Container> static void show(const Container &values) {
    observe(values.size());
    for (const auto &value : values)
        observe(plain(value));
}

template <class Vector> static void on_vector(const unsigned char *bytes, int length) {
    Vector v;
    for (int i = 0; i < length; ++i) {
        int operation = bytes[i] % 13, n = bytes[i] / 13;
        size_t at = v.empty() ? 0 : n % v.size();
        switch (operation) {
        case 0: case 1: v.push_back(n); break;
        case 2: v.insert(v.begin() + at, n); break;
        case 3: if (!v.empty()) v.erase(v.begin() + at); break;
        case 4: if (!v.empty()) v.pop_back(); break;
        case 5: v.resize(n % 6); break;
        case 6: { Vector copy = v; copy.push_back(n); v = copy; break; }
        case 7: std::sort(v.begin(), v.end()); break;
        case 8: { Vector other(2, n); v.swap(other); v.insert(v.end(), other.begin(), other.end()); break; }
        case 9: v.erase(std::remove(v.begin(), v.end(), n % 4), v.end()); break;
        case 10: try { observe(plain(v.at(n))); } catch (const std::out_of_range &) { observe(-7); } break;
        case 11: if (!v.empty()) v.insert(v.begin(), v.back()); break;
        default: v.assign(n % 4, n); break;
        }
        observe(v.capacity());
        show(v);
    }
}

static void on_string(const unsigned char *bytes, int length) {
    std::string s;
    for (int i = 0; i < length; ++i) {
        int operation = bytes[i] % 11, n = bytes[i] / 11;
        size_t at = n % (s.size() + 1);
        switch (operation) {
        case 0: s += static_cast<char>('a' + n % 4); break;
        case 1: s.insert(at, "xa"); break;
        case 2: s.erase(at, n % 3); break;
        case 3: s = s.substr(at) + s; break;
        case 4: observe(static_cast<long long>(s.find('a' + n % 4))); observe(static_cast<long long>(s.rfind("a"))); break;
        case 5: s.replace(at, 2, n % 2 ? "q" : "long"); break;
        case 6: s.append(std::to_string(n * 7 - 60)); break;
        case 7: observe(s.compare("b") < 0); observe(s == std::string(s.c_str())); break;
        case 8: s.resize(n % 5, 'z'); break;
        case 9: try { s.insert(n, "!"); } catch (const std::out_of_range &) { observe(-7); } break;
        default: observe(static_cast<long long>(s.find_first_not_of("ax"))); std::sort(s.begin(), s.end()); break;
        }
        observe(s.size());
        observe(s.capacity());
        for (char c : s)
            observe(c);
    }
}

template <class Map> static void on_map(const unsigned char *bytes, int length) {
    Map m;
    for (int i = 0; i < length; ++i) {
        int operation = bytes[i] % 9, n = bytes[i] / 9 % 6;
        switch (operation) {
        case 0: case 1: m[n] = i; break;
        case 2: observe(m.insert({n, i}).second); break;
        case 3: observe(m.erase(n)); break;
        case 4: observe(m.count(n)); observe(m.find(n) == m.end()); break;
        case 5: try { observe(plain(m.at(n))); } catch (const std::out_of_range &) { observe(-7); } break;
        case 6: { Map copy = m; copy.erase(n); m = copy; break; }
        case 7: m[n] = m[n / 2]; break;
        default: for (auto at = m.begin(); at != m.end();) if (plain(at->first) % 2 == n % 2) m.erase(at++); else ++at; break;
        }
        std::map<int, int> sorted;
        for (auto &element : m)
            sorted[plain(element.first)] = plain(element.second);
        show(sorted);
    }
}

template <class Set> static void on_set(const unsigned char *bytes, int length) {
    Set s;
    for (int i = 0; i < length; ++i) {
        int operation = bytes[i] % 6, n = bytes[i] / 6 % 7;
        switch (operation) {
        case 0: case 1: s.insert(n); break;
        case 2: observe(s.erase(n)); break;
        case 3: { auto at = s.lower_bound(n); observe(at == s.end() ? -1 : plain(*at)); break; }
        case 4: { auto at = s.upper_bound(n); if (at != s.begin()) observe(plain(*--at)); break; }
        default: observe(s.count(n)); for (auto at = s.rbegin(); at != s.rend(); ++at) observe(plain(*at)); break;
        }
        show(s);
    }
}

template <class Sequence> static void on_both_ends(const unsigned char *bytes, int length) {
    Sequence d;
    for (int i = 0; i < length; ++i) {
        int operation = bytes[i] % 8, n = bytes[i] / 8;
        switch (operation) {
        case 0: d.push_back(n); break;
        case 1: d.push_front(n); break;
        case 2: if (!d.empty()) d.pop_back(); break;
        case 3: if (!d.empty()) d.pop_front(); break;
        case 4: if (!d.empty()) { auto &first = d.front(); d.push_back(n); d.push_front(n); observe(plain(first)); } break;
        case 5: { auto at = d.begin(); std::advance(at, n % (d.size() + 1)); d.insert(at, n); break; }
        case 6: if (!d.empty()) { auto at = d.begin(); std::advance(at, n % d.size()); d.erase(at); } break;
        default: { Sequence other(d); observe(other == d); d = std::move(other); break; }
        }
        show(d);
    }
}

static void on_bits(const unsigned char *bytes, int length) {
    std::vector<bool> b;
    for (int i = 0; i < length; ++i) {
        int operation = bytes[i] % 9, n = bytes[i] / 9;
        size_t at = b.empty() ? 0 : n % b.size();
        switch (operation) {
        case 0: case 1: b.push_back(n % 2); break;
        case 2: b.insert(b.begin() + at, n % 2); break;
        case 3: if (!b.empty()) b.erase(b.begin() + at); break;
        case 4: if (!b.empty()) { auto bit = b[at]; bit.flip(); b.push_back(bit); } break;
        case 5: b.flip(); break;
        case 6: std::sort(b.begin(), b.end()); break;
        case 7: b.resize(n % 5, true); break;
        default: observe(std::count(b.begin(), b.end(), true)); std::reverse(b.begin(), b.end()); break;
        }
        show(b);
    }
}

static void on_list(const unsigned char *bytes, int length) {
    std::list<Counted> l, other;
    std::forward_list<Counted> f;
    for (int i = 0; i < length; ++i) {
        int operation = bytes[i] % 10, n = bytes[i] / 10 % 5;
        switch (operation) {
        case 0: l.push_back(n); f.push_front(n); break;
        case 1: other.push_front(n); f.insert_after(f.before_begin(), n); break;
        case 2: l.sort(); other.sort(); l.merge(other); f.sort(); break;
        case 3: l.splice(l.begin(), other); f.reverse(); break;
        case 4: if (!l.empty()) other.splice(other.end(), l, l.begin()); if (!f.empty()) f.pop_front(); break;
        case 5: l.remove(n); f.remove(n); break;
        case 6: l.unique(); f.unique(); break;
        case 7: l.insert(l.begin(), 2, n); f.assign(2, n); break;
        case 8: l.swap(other); break;
        default: l.remove_if([n](const Counted &c) { return c.n < n; }); break;
        }
        show(l);
        show(other);
        for (const Counted &c : f)
            observe(c.n);
    }
}

// Positions in a deque while its ends change: those of elements that stay are still good.
static void on_positions(const unsigned char *bytes, int length) {
    std::deque<int> d{1, 2, 3};
    auto kept = d.begin() + 1;
    for (int i = 0; i < length; ++i) {
        if (bytes[i] % 2 && kept - d.begin() > 0)
            d.pop_front();
        else if (d.end() - kept > 1)
            d.pop_back();
        observe(*kept);
        observe(kept - d.begin());
        observe(d.end() - kept);
        if (d.size() == 1) {
            d = {bytes[i] % 7, bytes[i] % 5, bytes[i] % 3, 4};
            kept = d.begin() + bytes[i] % 4;
        }
    }
}

static void on_queue(const unsigned char *bytes, int length) {
    std::priority_queue<int> greatest;
    std::queue<int> first;
    std::optional<Counted> last;
    for (int i = 0; i < length; ++i) {
        int n = bytes[i] / 3;
        if (bytes[i] % 3 && !first.empty()) {
            observe(first.front());
            observe(greatest.top());
            first.pop();
            greatest.pop();
            last.reset();
        } else {
            first.push(n);
            greatest.push(n);
            last = n;
        }
        observe(last ? last->n : -1);
        observe(first.size());
    }
}

static void run(int kind, const unsigned char *bytes, int length) {
    switch (kind) {
    case 0: on_vector<std::vector<int>>(bytes, length); break;
    case 1: on_vector<std::vector<Counted>>(bytes, length); break;
    case 2: on_string(bytes, length); break;
    case 3: on_map<std::map<int, Counted>>(bytes, length); break;
    case 4: on_map<std::unordered_map<int, int>>(bytes, length); break;
    case 5: on_set<std::set<Counted>>(bytes, length); break;
    case 6: on_set<std::multiset<int>>(bytes, length); break;
    case 7: on_both_ends<std::deque<Counted>>(bytes, length); break;
    case 8: on_both_ends<std::list<Counted>>(bytes, length); break;
    case 9: on_bits(bytes, length); break;
    case 10: on_list(bytes, length); break;
    case 11: on_positions(bytes, length); break;
    default: on_queue(bytes, length); break;
    }
    observe(Counted::alive);
}

// What is copied as a base leaves alone what the derived class has in the base's last bytes.
#include <memory>
extern "C" void observe(long long value);

struct Nothing {};
struct Pointing : private Nothing {
    int *where;
    explicit Pointing(int *given) : where(given) {}
    Nothing &nothing() { return *this; }
};

struct Base {
    int a;
    char b;
    explicit Base(int given) : a(given), b(1) {}
};
struct Derived : Base {
    char c = 7;
    using Number = int;
    explicit Derived(Number given) : Base(given) {}
};

int main() {
    int one = 1, two = 2;
    Pointing p(&one), q(&two);
    Nothing kept = p.nothing();
    p.nothing() = q.nothing();
    q.nothing() = kept;
    observe(*p.where);
    observe(*q.where);

    Derived d(3), e(4);
    e.c = 9;
    static_cast<Base &>(d) = e;
    observe(d.a);
    observe(d.c);
    Base cut = e;
    static_cast<Base &>(d) = cut;
    observe(d.c);
    d = e;
    observe(d.c);

    std::unique_ptr<int> x(new int(1)), y(new int(2)), none;
    x.swap(y);
    observe(*x);
    std::swap(x, y);
    observe(*x);
    none.swap(x);
    observe(*none);
    observe(x == nullptr);
    y = std::move(none);
    observe(*y);
    return 0;
}

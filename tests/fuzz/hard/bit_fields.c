/* Bit-fields as globals, locals, elements and behind pointers. */
void observe(long long);
struct B {
    unsigned a : 3;
    int b : 5;
    unsigned c : 20;
    _Bool d : 1;
    long long e : 40;
};
struct B s = { 5, -3, 1000, 1, -99 }, t;
int k = 2;
int main(void) {
    struct B l = s;
    struct B *p = &l;
    struct B arr[3] = { { 1, 2, 3, 0, 5 }, s, t };
    s.a += 6;
    observe(s.a);
    if (s.a++ < 5) observe(s.a);
    s.b = s.b * 7;
    observe(s.b);
    if (s.c > 999 && s.c < 1001) observe(s.c);
    if (p->b == -3) observe(p->b);
    p->d = p->c;
    if (p->d) observe(p->d);
    arr[k] = s;
    arr[k].a = 9;
    observe(arr[k].a);
    observe(arr[0].a);
    observe(arr[1].e);
    arr[k - 1].e -= 1;
    observe(arr[1].e);
    t = arr[k - 2];
    observe(t.a + t.b + t.c);
    l.e = l.e << 3;
    observe(l.e);
    if (l.e < 0) observe(1);
    return l.a;
}

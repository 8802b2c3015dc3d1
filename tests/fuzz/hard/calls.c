/* Recursion, function pointers, switches and jumps. */
void observe(long long);
typedef int (*fn)(int);
int calls, depth = 3;
static int inc(int x) {
    calls++;
    return x + 1;
}
static int dbl(int x) {
    return x * 2;
}
static int neg(int x) {
    return -x;
}
static int fact(int n) {
    return n <= 1 ? 1 : n * fact(n - 1);
}
static int even(int);
static int odd(int n) {
    return n == 0 ? 0 : even(n - 1);
}
static int even(int n) {
    return n == 0 ? 1 : odd(n - 1);
}
static int walk(int *p, int n) {
    int here = *p + n;
    if (n == 0) return here;
    return walk(&here, n - 1) + here;
}
static int apply(fn f, int x) {
    return f ? f(x) : -1;
}
fn table[4] = { inc, dbl, neg, 0 };
static void hanoi(int n, int a, int b, int c) {
    if (!n) return;
    hanoi(n - 1, a, c, b);
    observe(a * 10 + c);
    hanoi(n - 1, b, a, c);
}
int main(void) {
    int i, r = 1;
    for (i = 0; i < 4; i++) {
        r = apply(table[i], r);
        observe(r);
    }
    if (calls) observe(calls);
    observe(fact(depth + 1));
    observe(odd(depth));
    observe(walk(&depth, 3));
    hanoi(depth, 1, 2, 3);
    {
        fn f = table[calls];
        if (f == dbl) observe(f(21));
        table[calls] = neg;
        f = table[depth - 2];
        observe(f(4));
    }
    switch (r % 7 + depth) {
        case -1: case 2: observe(1);
        case 3: observe(2);
        break;
        case 4 ... 9: observe(3);
        break;
        default: observe(4);
    }
    for (i = 0; i < 5; i++) switch (i) {
        case 0: continue;
        case 3: goto out;
        default: observe(i);
        break;
        case 1: observe(-1);
    }
    out: observe(i);
    return 0;
}

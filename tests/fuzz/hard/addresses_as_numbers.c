/* A pointer read as a number through a union. */
void observe(long long);
int a[4], b[4];
int idx = 1;
union P {
    int *p;
    unsigned long u;
};
union P p, q;
int main(void) {
    int *tab[3] = { &a[0], &b[1], 0 };
    p.p = tab[idx];
    q = p;
    if (q.u) {
        *q.p = 3;
        observe(b[1]);
        observe(a[0]);
    }
    observe(p.u == q.u);
    observe((p.u & 3) == 0);
    p.u += 4;
    *p.p = 5;
    observe(b[2]);
    idx++;
    p.p = tab[idx];
    if (p.p == 0) observe(1);
    else observe(2);
    if (!p.u) observe(11);
    return 0;
}

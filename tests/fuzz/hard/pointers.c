/* Pointers to globals, locals, rows, elements and other pointers. */
void observe(long long);
int a[6] = { 4, 5, 6, 7, 8, 9 }, i = 2, j = 4;
int m[3][4];
char str[] = "hello";
const char *names[] = { "on", "off", 0 };
static void set(int *p, int v) {
    *p = v;
}
static int *pick(int k) {
    return k > 3 ? &a[k] : &i;
}
static void swap(int **p, int **q) {
    int *t = *p;
    *p = *q;
    *q = t;
}
int main(void) {
    int x = 1, y = 2, *p = a + i, *q = &a[j], **pp = &p, n = 0;
    const char **s = names;
    observe(q - p);
    if (p < q) observe(1);
    if (p != q) observe(2);
    while (p < q) {
        observe(*p++);
    }
    if (p == q) observe(3);
    swap(&p, &q);
    set(pick(j), 70);
    observe(a[4]);
    set(pick(0), 3);
    observe(i);
    *pp = &x;
    **pp += y;
    observe(x);
    {
        int *t[4] = { &x, &y, &i, 0 };
        int k;
        for (k = 0; t[k]; k++) {
            *t[k] += 10;
            observe(x);
            observe(y);
            observe(i);
        }
        p = t[k - 1];
    }
    if (p == &i) observe(4);
    if (p) observe(*p);
    i = 2;
    m[i][j - 1] = 5;
    m[1][i] = 6;
    for (n = 0; n < 12; n++) observe(((int *)m)[n > 3 ? 0 : n]);
    for (; *s; s++) {
        const char *c = *s;
        while (*c) observe(*c++);
    }
    p = &m[1][0];
    observe(p[i]);
    str[i]++;
    observe(str[2]);
    {
        char *e = str;
        while (*e) e++;
        observe(e - str);
    }
    q = &a[0];
    q += j;
    *q-- = 1;
    *--q = 2;
    observe(a[4]);
    observe(a[3]);
    observe(a[2]);
    {
        int (*row)[4] = m;
        row++;
        observe((*row)[2]);
        row[1][3]++;
        observe(m[2][3]);
    }
    observe(i[a]);
    p = i > 1 ? &x : &y;
    *p = 99;
    observe(x);
    observe(y);
    (i > 5 ? &x : &y)[0]++;
    observe(y);
    return 0;
}

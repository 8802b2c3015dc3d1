/* Records: nested, copied, by value, byte by byte. */
#include <string.h>

void observe(long long);
struct In {
    short a;
    int b[3];
};
struct S {
    char n;
    struct In in[2];
    int *p;
    unsigned char tail[5];
};
struct S g1, g2 = { 'x', { { 1, { 2, 3, 4 } }, { 5, { 6, 7, 8 } } }, 0, { 1, 2, 3, 4, 5 } };
int z = 1, w = 2;
static struct In mk(int x) {
    struct In r;
    r.a = (short)x;
    r.b[0] = x + 1;
    r.b[1] = x * 2;
    r.b[2] = r.b[0] - r.b[1];
    return r;
}
static int sum(struct In q) {
    q.a++;
    return q.a + q.b[0] + q.b[1] + q.b[2];
}
int main(void) {
    struct S l, *ps = &l;
    int *tab[2];
    char raw[sizeof(struct S)];
    int i;
    g1 = g2;
    g1.p = &z;
    l = g1;
    tab[0] = &l.in[0].b[1];
    tab[1] = &z;
    *tab[z] = 44;
    observe(z);
    observe(l.in[0].b[1]);
    z = 1;
    ps->in[z] = mk(z + 3);
    observe(sum(ps->in[1]));
    observe(sum(l.in[0]));
    memcpy(&g2, &l, sizeof l);
    observe(g2.in[1].b[2]);
    memcpy(raw, &g2, sizeof raw);
    memcpy(&g1, raw, sizeof raw);
    observe(g1.in[1].a);
    observe(*g1.p);
    memset(&g1.in[0], 0, sizeof g1.in[0]);
    observe(sum(g1.in[0]));
    memmove(&l.tail[1], &l.tail[0], 3);
    for (i = 0; i < 5; i++) observe(l.tail[i]);
    memcpy(&l.in[z - 1], &g2.in[w - 1], sizeof(struct In));
    observe(sum(l.in[0]));
    memcpy((char *)&l.in[0] + 4, (char *)&g2.in[0] + 4, (unsigned)w * 4);
    observe(sum(l.in[0]));
    if (memcmp(&l.in[0].b[0], &g2.in[0].b[0], 8) == 0) observe(123);
    l.tail[z + w] ^= 3;
    if (l.tail[3] == 0) observe(l.tail[3]);
    ((unsigned char *)&w)[1] = 1;
    observe(w);
    if (w > 200) observe(w & 255);
    *(short *)&g2.in[0].b[1] = 7;
    observe(g2.in[0].b[1]);
    return 0;
}

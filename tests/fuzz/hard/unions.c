/* Unions and pointers into them of which only some bytes are written. */
void observe(long long);
union U {
    unsigned i;
    unsigned char c[4];
};
union U u;
unsigned g;
int k = 1;
int main(void) {
    union U w;
    unsigned *ps[2];
    int i;
    w.c[0] = 1;
    w.c[1] = 9;
    ps[0] = &w.i;
    ps[1] = &g;
    for (i = 0; i < 2; i++) {
        unsigned *p = ps[k];
        *p = 7;
        observe(w.c[0]);
        observe(g);
        observe(w.c[1]);
        k = k % 2;
    }
    u.i = 0x01020304;
    u.c[k] = 9;
    observe(u.i);
    observe(u.c[0]);
    observe(u.c[1]);
    if (u.i > 5 && u.c[0] == 4) observe(77);
    return 0;
}

/* Floating-point numbers, with zero of both signs and no number at all. */
void observe(long long);
double d = 1.5, acc;
float f = 0.1f;
int n = 3;
unsigned u = 7;
struct {
    float x, y;
    int k;
}  pt[2];
static double half(double v) {
    return v / 2;
}
int main(void) {
    int i;
    for (i = 0; i < n; i++) {
        acc += d * i;
        d = half(d) + f;
        if (d > 1.0) observe(i);
    }
    observe((long long)(acc * 1000));
    if (acc) observe(1);
    if (!f) observe(2);
    if (f < d) observe(3);
    else observe(4);
    n = (int)(d * 10);
    observe(n);
    u = (unsigned)(acc + u);
    observe(u);
    pt[n % 2].x = (float)n;
    pt[1].y = -0.0f;
    if (pt[1].y == 0) observe(5);
    if (pt[1].y) observe(6);
    pt[0].k = pt[n % 2].x > 2;
    observe(pt[0].k);
    f = (float)u;
    n = f;
    observe(n);
    d = -0.0;
    if (d < 0 || d > 0) observe(7);
    d = 0.0 / d;
    if (d != d) observe(8);
    if (!(d < 1)) observe(9);
    return 0;
}

/* Conditions that change the variables they test. */
void observe(long long);
int x = 3, y;
unsigned char c = 250;
signed char s = -3;
unsigned u = 5;
static int f(void) {
    return x++ - 4;
}
int main(void) {
    int n = 0;
    while (x++ < 5) {
        observe(x);
        n++;
    }
    while ((y = f()) && n < 20) {
        observe(y);
        n++;
    }
    while (c++ > 3) {
        if (n++ > 60) break;
        observe(c);
    }
    if (--s < -3) observe(s);
    if ((s += 130) > 100 || s == 127) observe(s);
    if (u-- > 4 && u < 5) observe(u);
    if (u - 5 > 0) observe(u - 5);
    if ((x = y = x > 3) == 1) observe(x + y);
    for (u = 3; u-- > 0; ) observe(u);
    if (!(x && (y = 0, c = 9))) observe(5);
    else observe(c);
    if ((x ? y : c) == 0) observe(y);
    return x;
}

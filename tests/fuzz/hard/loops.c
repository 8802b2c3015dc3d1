/* A ring buffer, static locals and loops that are left in several ways. */
void observe(long long);
static int count = 5;
static unsigned char buf[8];
static unsigned head, tail;
static int put(unsigned char c) {
    unsigned nx = (head + 1) % 8;
    if (nx == tail) return 0;
    buf[head] = c;
    head = nx;
    return 1;
}
static int take(void) {
    int c;
    if (head == tail) return -1;
    c = buf[tail];
    tail = (tail + 1) & 7;
    return c;
}
int main(void) {
    int i, c;
    for (i = 0; i < 10; i++) if (!put((unsigned char)(i * 37))) {
        observe(i);
        break;
    }
    while ((c = take()) >= 0) observe(c);
    do {
        int t = count;
        if (t > 3) {
            count = t - 2;
            continue;
        }
        if (t < 0) break;
        count--;
        observe(count);
    } while (count > -2);
    {
        static int st;
        int k;
        for (k = 0; k < 3; k++) {
            int fresh;
            if (k == 1) st = 9;
            fresh = st + k;
            observe(fresh);
        }
    }
    {
        int v[3], k;
        for (k = 0; k < 3; k++) v[k] = k * k;
        observe(v[count + 3]);
        v[count + 2] = 9;
        if (v[1] == 9 || v[0] == 9) observe(v[0] + v[1]);
    }
    return 0;
}

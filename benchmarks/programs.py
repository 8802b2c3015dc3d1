"""C programs to measure with: small ones that stress one thing each, and one of any number of lines."""

from __future__ import annotations

from typing import Final

LOOPS: Final = """
int total;
int main(void) {
    for (int i = 0; i < 30000; i++) {
        total = (total + i * 3) % 1000;
        if (total & 1) total += 2; else total -= 1;
    }
    return 0;
}
"""

CALLS: Final = """
static int twice(int x) { return x + x; }
static int clamp(int x, int low, int high) { return x < low ? low : x > high ? high : x; }
int level;
int main(void) {
    for (int i = 0; i < 15000; i++) level = clamp(twice(level) - i % 7, -100, 100);
    return 0;
}
"""

ARRAYS: Final = """
struct sample { unsigned char kind; short value; } ring[16];
int sums[4];
int main(void) {
    struct sample *p = ring;
    for (int i = 0; i < 12000; i++) {
        p->kind = i & 3;
        p->value = (short)(i * 7);
        sums[p->kind] = (sums[p->kind] + p->value) & 0xffff;
        p = p == &ring[15] ? ring : p + 1;
    }
    return 0;
}
"""

MACHINE: Final = """
enum state { IDLE, HEADER, BODY, CHECK, DONE } state;
unsigned char length, sum, count;
static void feed(unsigned char byte) {
    switch (state) {
    case IDLE: if (byte == 0x7e) { state = HEADER; sum = 0; } break;
    case HEADER: length = byte & 7; count = 0; state = length ? BODY : CHECK; break;
    case BODY: sum ^= byte; if (++count == length) state = CHECK; break;
    case CHECK: state = byte == sum ? DONE : IDLE; break;
    default: state = IDLE;
    }
}
int main(void) {
    unsigned char byte = 1;
    for (int i = 0; i < 15000; i++) { byte = (unsigned char)(byte * 5 + 0x7d); feed(byte); }
    return 0;
}
"""

STEPPED: Final = {"loops": LOOPS, "calls": CALLS, "arrays and pointers": ARRAYS, "state machine": MACHINE}

COUNTERS: Final = """
unsigned char a, b, c, d;
void tick(unsigned char which) {
    switch (which) {
    case 0: a = (a + 1) % 12; break;
    case 1: b = (b + 1) % 12; break;
    case 2: c = (c + 1) % 12; break;
    default: d = (d + 1) % 12; break;
    }
}
"""


def long_file(lines: int) -> str:
    """A file of about so many lines: modules of a plausible shape, one after the other."""
    parts: list[str] = []
    written, number = 0, 0
    while written < lines:
        part = _module(number)
        parts.append(part)
        written += part.count("\n")
        number += 1
    return "".join(parts)


def _module(n: int) -> str:
    return f"""
enum mode{n} {{ OFF{n}, STARTING{n}, RUNNING{n}, STOPPING{n} }};

struct unit{n} {{
    enum mode{n} mode;
    unsigned short timer;
    int history[8];
    struct unit{n} *next;
}};

static struct unit{n} unit{n} = {{ .mode = OFF{n}, .history = {{ [0] = {n}, [7] = -1 }} }};
static unsigned errors{n};

static int filter{n}(const int *values, int count) {{
    int sum = 0;
    for (int i = 0; i < count; i++) {{
        if (values[i] < 0)
            continue;
        sum += values[i] * (i + 1);
    }}
    return count ? sum / count : 0;
}}

void step{n}(int request, unsigned char level) {{
    struct unit{n} *u = &unit{n};
    u->history[u->timer & 7] = request;
    switch (u->mode) {{
    case OFF{n}:
        if (request > 0 && level < 200)
            u->mode = STARTING{n};
        break;
    case STARTING{n}:
        if (++u->timer > 10) {{
            u->mode = RUNNING{n};
            u->timer = 0;
        }}
        break;
    case RUNNING{n}:
        if (request == 0 || filter{n}(u->history, 8) > 1000)
            u->mode = STOPPING{n};
        else if (level > 250)
            errors{n}++;
        break;
    default:
        u->timer = level ? u->timer - 1 : 0;
        u->mode = u->timer == 0 ? OFF{n} : STOPPING{n};
    }}
}}
"""

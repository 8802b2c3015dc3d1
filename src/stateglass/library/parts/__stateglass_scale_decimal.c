#include <stateglass/parts.h>

/* As many bits at once as a digit and a carry leave room for. */
#define MOST_BITS 56

static void trim(struct __stateglass_decimal *decimal)
{
    while (decimal->count > 0 && decimal->digits[decimal->count - 1] == 0)
        --decimal->count;
    if (decimal->count == 0)
        decimal->point = 0;
}

static void keep(struct __stateglass_decimal *decimal, int at, unsigned char digit)
{
    if (at < STATEGLASS_MOST_DIGITS)
        decimal->digits[at] = digit;
    else if (digit != 0)
        decimal->more = 1;
}

/* Long division by a power of two, from the first digit on. */
static void divide(struct __stateglass_decimal *decimal, int bits)
{
    unsigned long long rest = 0, mask = (1ULL << bits) - 1;
    int from = 0, to = 0;

    for (; rest >> bits == 0; ++from)
        rest = 10 * rest + (from < decimal->count ? decimal->digits[from] : 0);
    decimal->point -= from - 1;
    while (rest != 0 || from < decimal->count) {
        keep(decimal, to++, (unsigned char)(rest >> bits));
        rest = 10 * (rest & mask) + (from < decimal->count ? decimal->digits[from] : 0);
        ++from;
    }
    decimal->count = to < STATEGLASS_MOST_DIGITS ? to : STATEGLASS_MOST_DIGITS;
}

/* Long multiplication, from the last digit on; what is carried in the end comes before the others. */
static void multiply(struct __stateglass_decimal *decimal, int bits)
{
    unsigned long long carry = 0, left;
    int at, new = 0, count = decimal->count;

    for (at = count - 1; at >= 0; --at) {
        carry += (unsigned long long)decimal->digits[at] << bits;
        decimal->digits[at] = (unsigned char)(carry % 10);
        carry /= 10;
    }
    for (left = carry; left != 0; left /= 10)
        ++new;
    for (at = count - 1; at >= 0; --at)
        keep(decimal, at + new, decimal->digits[at]);
    for (at = new - 1; at >= 0; --at) {
        keep(decimal, at, (unsigned char)(carry % 10));
        carry /= 10;
    }
    decimal->point += new;
    count += new;
    decimal->count = count < STATEGLASS_MOST_DIGITS ? count : STATEGLASS_MOST_DIGITS;
}

void __stateglass_scale_decimal(struct __stateglass_decimal *decimal, int bits)
{
    for (; bits != 0 && decimal->count != 0; trim(decimal)) {
        int now = bits > MOST_BITS ? MOST_BITS : bits < -MOST_BITS ? -MOST_BITS : bits;

        if (now > 0)
            multiply(decimal, now);
        else
            divide(decimal, -now);
        bits -= now;
    }
}

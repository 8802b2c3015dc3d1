#include <stateglass/parts.h>

/* The value of a digit or letter; a large number for anything else. */
static int value_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z')
        return c - 'A' + 10;
    return 100;
}

struct __stateglass_number __stateglass_read_number(
    const char *text, int base, unsigned long long most, unsigned long long most_negative)
{
    struct __stateglass_number number = {0, 0, 0, text};
    const char *at = text;
    unsigned long long limit;

    while (*at == ' ' || (*at >= '\t' && *at <= '\r'))
        ++at;
    if (*at == '-' || *at == '+') {
        number.negative = *at == '-';
        ++at;
    }
    limit = number.negative ? most_negative : most;
    /* "0x" is a prefix only if a digit follows; else the number is the 0. */
    if ((base == 0 || base == 16) && at[0] == '0' && (at[1] == 'x' || at[1] == 'X') && value_of(at[2]) < 16) {
        base = 16;
        at += 2;
    }
    if (base == 0)
        base = *at == '0' ? 8 : 10;
    for (; value_of(*at) < base; ++at) {
        unsigned long long digit = (unsigned long long)value_of(*at);
        unsigned long long radix = (unsigned long long)base;

        if (number.too_large || number.magnitude > limit / radix || number.magnitude * radix > limit - digit) {
            number.too_large = 1;
            number.magnitude = limit;
        } else {
            number.magnitude = number.magnitude * radix + digit;
        }
        number.end = at + 1;
    }
    return number;
}

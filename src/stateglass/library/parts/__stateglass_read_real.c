#include <math.h>
#include <stateglass/intrinsics.h>
#include <stateglass/parts.h>

/* Exponents beyond these make any number too large or too small. */
#define FAR 400
#define LARGE 100000

static _Bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static _Bool is_word(const char *text, const char *word)
{
    for (; *word != '\0'; ++text, ++word)
        if (__stateglass_lower((unsigned char)*text) != *word)
            return 0;
    return 1;
}

static void add_digit(struct __stateglass_decimal *decimal, int digit)
{
    if (decimal->count == 0 && digit == 0)
        return;
    if (decimal->count < STATEGLASS_MOST_DIGITS)
        decimal->digits[decimal->count++] = (unsigned char)digit;
    else if (digit != 0)
        decimal->more = 1;
}

/* The digits, the point and the exponent; NULL if there is no digit. */
static const char *read_decimal(const char *at, struct __stateglass_decimal *decimal)
{
    _Bool any = 0, after_point = 0;
    int exponent = 0;

    for (; is_digit(*at) || (*at == '.' && !after_point); ++at) {
        if (*at == '.') {
            after_point = 1;
            continue;
        }
        any = 1;
        /* The digits before the point that are not leading zeros count, and the zeros right behind it. */
        if (!after_point && (decimal->count != 0 || *at != '0') && decimal->point < LARGE)
            ++decimal->point;
        if (after_point && decimal->count == 0 && *at == '0' && decimal->point > -LARGE)
            --decimal->point;
        add_digit(decimal, *at - '0');
    }
    if (!any)
        return 0;
    if (*at == 'e' || *at == 'E') {
        const char *digits = at + 1;
        _Bool negative = *digits == '-';

        if (*digits == '-' || *digits == '+')
            ++digits;
        if (is_digit(*digits)) {
            for (; is_digit(*digits); ++digits)
                if (exponent < LARGE)
                    exponent = 10 * exponent + (*digits - '0');
            at = digits;
        }
        decimal->point += negative ? -exponent : exponent;
    }
    while (decimal->count > 0 && decimal->digits[decimal->count - 1] == 0)
        --decimal->count;
    return at;
}

/* The whole number nearest to a decimal that is less than 2 to the power of 64. */
static unsigned long long nearest(const struct __stateglass_decimal *decimal)
{
    unsigned long long number = 0;
    int i;

    for (i = 0; i < decimal->point; ++i)
        number = 10 * number + (i < decimal->count ? decimal->digits[i] : 0);
    return number + (unsigned long long)__stateglass_rounds_up(decimal, decimal->point);
}

/* The number as `bits` binary digits and a power of two; the decimal is less than one and not less than a half. */
static void convert(
    struct __stateglass_decimal *decimal, int exponent, int precision, int least, struct __stateglass_real *real)
{
    int bits = exponent < least ? precision - (least - exponent) : precision;
    _Bool exact, tiny = exponent < least;

    __stateglass_scale_decimal(decimal, precision);
    /* With exponents without end it might have been rounded up to one that there is. */
    if (exponent == least - 1 && nearest(decimal) == 1ULL << precision)
        tiny = 0;
    __stateglass_scale_decimal(decimal, bits - precision);
    exact = decimal->count <= decimal->point && !decimal->more;
    real->value = scalbn((double)nearest(decimal), exponent - bits);
    real->out_of_range = tiny && !exact;
}

static void to_binary(
    struct __stateglass_decimal *decimal, int precision, int least, int greatest, struct __stateglass_real *real)
{
    static const unsigned char safe[] = {0, 3, 6, 9, 13, 16, 19, 23, 26};
    int exponent = 0;

    if (decimal->count == 0)
        return;
    if (decimal->point < -FAR || decimal->point > FAR) {
        real->out_of_range = 1;
        real->value = decimal->point < 0 ? 0 : INFINITY;
        return;
    }
    while (decimal->point > 0) {
        int bits = decimal->point < 9 ? safe[decimal->point] : 27;

        __stateglass_scale_decimal(decimal, -bits);
        exponent += bits;
    }
    while (decimal->point < 0 || decimal->digits[0] < 5) {
        int bits = decimal->point == 0 ? 1 : decimal->point > -9 ? safe[-decimal->point] : 27;

        __stateglass_scale_decimal(decimal, bits);
        exponent -= bits;
    }
    convert(decimal, exponent, precision, least, real);
    if (real->value >= scalbn(1, greatest - 1) * 2) {
        real->out_of_range = 1;
        real->value = INFINITY;
    }
}

struct __stateglass_real __stateglass_read_real(const char *text, int precision, int least, int greatest)
{
    struct __stateglass_real real = {0, 0, text};
    struct __stateglass_decimal decimal = {0};
    const char *at = text, *end;
    _Bool negative;

    while (*at == ' ' || (*at >= '\t' && *at <= '\r'))
        ++at;
    negative = *at == '-';
    if (*at == '-' || *at == '+')
        ++at;
    if (is_word(at, "inf")) {
        real.value = INFINITY;
        real.end = at + (is_word(at, "infinity") ? 8 : 3);
    } else if (is_word(at, "nan")) {
        if (at[3] == '(')
            __stateglass_refuse("reading a NaN with a number of its own");
        real.value = NAN;
        real.end = at + 3;
    } else if (is_word(at, "0x")) {
        __stateglass_refuse("reading a hexadecimal floating-point number");
    } else if ((end = read_decimal(at, &decimal)) != 0) {
        to_binary(&decimal, precision, least, greatest, &real);
        real.end = end;
    }
    if (negative && real.end != text)
        real.value = -real.value;
    return real;
}

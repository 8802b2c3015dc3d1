#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stateglass/intrinsics.h>
#include <stateglass/parts.h>

/* Where text goes: what has no room is counted all the same. */
struct sink {
    char *text;
    size_t room, length;
};

/* What stands between the percent sign and the letter. */
struct style {
    _Bool left, plus, space, alternate, zeros, has_precision;
    int width, precision;
};

static void put(struct sink *sink, char c)
{
    if (sink->length < sink->room)
        sink->text[sink->length] = c;
    ++sink->length;
}

static void repeat(struct sink *sink, char c, int count)
{
    for (; count > 0; --count)
        put(sink, c);
}

static void put_text(struct sink *sink, const char *text, const struct style *style)
{
    int length = 0, i;

    while ((!style->has_precision || length < style->precision) && text[length] != '\0')
        ++length;
    if (!style->left)
        repeat(sink, ' ', style->width - length);
    for (i = 0; i < length; ++i)
        put(sink, text[i]);
    if (style->left)
        repeat(sink, ' ', style->width - length);
}

static void put_number(struct sink *sink, unsigned long long magnitude, _Bool negative, char kind, struct style *style)
{
    char digits[24];
    const char *figures = kind == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
    unsigned base = kind == 'o' ? 8 : kind == 'x' || kind == 'X' ? 16 : 10;
    _Bool prefixed = style->alternate && base == 16 && magnitude != 0;
    int count = 0, zeros, sign;

    for (; magnitude != 0; magnitude /= base)
        digits[count++] = figures[magnitude % base];
    zeros = (style->has_precision ? style->precision : 1) - count;
    if (zeros < 0)
        zeros = 0;
    if (style->alternate && base == 8 && zeros == 0)
        zeros = 1;
    sign = (kind == 'd' && (negative || style->plus || style->space)) + 2 * prefixed;
    if (style->zeros && !style->left && !style->has_precision && style->width > sign + zeros + count)
        zeros = style->width - sign - count;
    if (!style->left)
        repeat(sink, ' ', style->width - sign - zeros - count);
    if (kind == 'd' && sign)
        put(sink, negative ? '-' : style->plus ? '+' : ' ');
    if (prefixed) {
        put(sink, '0');
        put(sink, kind);
    }
    repeat(sink, '0', zeros);
    style->width -= sign + zeros + count;
    while (count > 0)
        put(sink, digits[--count]);
    if (style->left)
        repeat(sink, ' ', style->width);
}

/* The exact value of a number that is neither negative nor infinite. */
static void to_decimal(double value, struct __stateglass_decimal *decimal)
{
    int exponent, i;
    unsigned long long number = (unsigned long long)scalbn(frexp(value, &exponent), DBL_MANT_DIG);

    decimal->count = decimal->point = 0;
    decimal->more = 0;
    for (; number != 0; number /= 10) {
        for (i = decimal->count++; i > 0; --i)
            decimal->digits[i] = decimal->digits[i - 1];
        decimal->digits[0] = (unsigned char)(number % 10);
    }
    decimal->point = decimal->count;
    __stateglass_scale_decimal(decimal, exponent - DBL_MANT_DIG);
}

/* Rounds to so many digits. */
static void round_to(struct __stateglass_decimal *decimal, int count)
{
    _Bool up = __stateglass_rounds_up(decimal, count);

    if (count >= decimal->count) {
        if (decimal->more)
            __stateglass_refuse("formatting a floating-point number with so many digits");
        return;
    }
    decimal->count = count < 0 ? 0 : count;
    if (!up)
        return;
    while (decimal->count > 0 && decimal->digits[decimal->count - 1] == 9)
        --decimal->count;
    if (decimal->count > 0) {
        ++decimal->digits[decimal->count - 1];
    } else {
        decimal->digits[0] = 1;
        decimal->count = 1;
        ++decimal->point;
    }
}

static char digit_at(const struct __stateglass_decimal *decimal, int at)
{
    return (char)('0' + (at >= 0 && at < decimal->count ? decimal->digits[at] : 0));
}

/* One digit, the point, more digits, and the power of ten. */
static void put_scientific(
    struct sink *sink, const struct __stateglass_decimal *decimal, int precision, char letter, _Bool point)
{
    int exponent = decimal->count == 0 ? 0 : decimal->point - 1, i;

    put(sink, digit_at(decimal, 0));
    if (precision > 0 || point)
        put(sink, '.');
    for (i = 1; i <= precision; ++i)
        put(sink, digit_at(decimal, i));
    put(sink, letter);
    put(sink, exponent < 0 ? '-' : '+');
    if (exponent < 0)
        exponent = -exponent;
    if (exponent >= 100)
        put(sink, (char)('0' + exponent / 100));
    put(sink, (char)('0' + exponent / 10 % 10));
    put(sink, (char)('0' + exponent % 10));
}

static void put_plain(struct sink *sink, const struct __stateglass_decimal *decimal, int precision, _Bool point)
{
    int whole = decimal->count == 0 ? 0 : decimal->point, i;

    if (whole <= 0)
        put(sink, '0');
    for (i = 0; i < whole; ++i)
        put(sink, digit_at(decimal, i));
    if (precision > 0 || point)
        put(sink, '.');
    for (i = 0; i < precision; ++i)
        put(sink, digit_at(decimal, whole + i));
}

/* The digits of a number without its sign, as the letter wants them. */
static void put_digits(struct sink *sink, double value, char kind, int precision, _Bool alternate)
{
    struct __stateglass_decimal decimal;
    char letter = kind < 'a' ? 'E' : 'e';
    int exponent;

    to_decimal(value, &decimal);
    switch (kind) {
    case 'e':
    case 'E':
        round_to(&decimal, precision + 1);
        put_scientific(sink, &decimal, precision, letter, alternate);
        break;
    case 'f':
    case 'F':
        round_to(&decimal, decimal.point + precision);
        put_plain(sink, &decimal, precision, alternate);
        break;
    default:
        if (precision == 0)
            precision = 1;
        round_to(&decimal, precision);
        exponent = decimal.count == 0 ? 0 : decimal.point - 1;
        if (!alternate) {
            while (decimal.count > 0 && decimal.digits[decimal.count - 1] == 0)
                --decimal.count;
        }
        if (exponent < -4 || exponent >= precision) {
            precision = alternate ? precision - 1 : decimal.count == 0 ? 0 : decimal.count - 1;
            put_scientific(sink, &decimal, precision, letter, alternate);
        } else {
            precision = alternate ? precision - 1 - exponent : decimal.count - 1 - exponent;
            put_plain(sink, &decimal, precision < 0 ? 0 : precision, alternate);
        }
    }
}

static void put_real(struct sink *sink, double value, char kind, struct style *style)
{
    struct sink counter = {0, 0, 0};
    int precision = style->has_precision ? style->precision : 6;
    _Bool negative = signbit(value) != 0, signed_text = negative || style->plus || style->space;
    int length;

    value = fabs(value);
    if (!isfinite(value)) {
        const char *text = kind < 'a' ? (isnan(value) ? "NAN" : "INF") : isnan(value) ? "nan" : "inf";

        if (!style->left)
            repeat(sink, ' ', style->width - 3 - signed_text);
        if (signed_text)
            put(sink, negative ? '-' : style->plus ? '+' : ' ');
        for (; *text != '\0'; ++text)
            put(sink, *text);
        if (style->left)
            repeat(sink, ' ', style->width - 3 - signed_text);
        return;
    }
    put_digits(&counter, value, kind, precision, style->alternate);
    length = (int)counter.length + signed_text;
    if (!style->left && !style->zeros)
        repeat(sink, ' ', style->width - length);
    if (signed_text)
        put(sink, negative ? '-' : style->plus ? '+' : ' ');
    if (!style->left && style->zeros)
        repeat(sink, '0', style->width - length);
    put_digits(sink, value, kind, precision, style->alternate);
    if (style->left)
        repeat(sink, ' ', style->width - length);
}

/* A number in the text, or an argument in its place. */
static int read_count(const char **at, va_list *arguments)
{
    int count = 0;

    if (**at == '*') {
        ++*at;
        return va_arg(*arguments, int);
    }
    for (; **at >= '0' && **at <= '9'; ++*at)
        count = 10 * count + (**at - '0');
    return count;
}

static const char *read_style(const char *at, struct style *style, va_list *arguments)
{
    for (;; ++at) {
        if (*at == '-')
            style->left = 1;
        else if (*at == '+')
            style->plus = 1;
        else if (*at == ' ')
            style->space = 1;
        else if (*at == '#')
            style->alternate = 1;
        else if (*at == '0')
            style->zeros = 1;
        else
            break;
    }
    style->width = read_count(&at, arguments);
    if (style->width < 0) {
        style->left = 1;
        style->width = -style->width;
    }
    if (*at == '.') {
        ++at;
        style->precision = read_count(&at, arguments);
        style->has_precision = style->precision >= 0;
    }
    return at;
}

/* How wide an argument is: 'H' stands for hh, 'L' for ll. */
static const char *read_size(const char *at, char *size)
{
    *size = 0;
    while (*at == 'h' || *at == 'l' || *at == 'j' || *at == 'z' || *at == 't')
        *size = *at == 'h' && *size == 'h' ? 'H' : *at == 'l' && *size == 'l' ? 'L' : *at, ++at;
    return at;
}

static long long signed_argument(char size, va_list *arguments)
{
    switch (size) {
    case 'H': return (signed char)va_arg(*arguments, int);
    case 'h': return (short)va_arg(*arguments, int);
    case 'l': return va_arg(*arguments, long);
    case 'L': return va_arg(*arguments, long long);
    case 'j': return va_arg(*arguments, intmax_t);
    case 'z':
    case 't': return va_arg(*arguments, ptrdiff_t);
    default: return va_arg(*arguments, int);
    }
}

static unsigned long long unsigned_argument(char size, va_list *arguments)
{
    switch (size) {
    case 'H': return (unsigned char)va_arg(*arguments, unsigned);
    case 'h': return (unsigned short)va_arg(*arguments, unsigned);
    case 'l': return va_arg(*arguments, unsigned long);
    case 'L': return va_arg(*arguments, unsigned long long);
    case 'j': return va_arg(*arguments, uintmax_t);
    case 'z':
    case 't': return va_arg(*arguments, size_t);
    default: return va_arg(*arguments, unsigned);
    }
}

static void put_argument(struct sink *sink, char kind, char size, struct style *style, va_list *arguments)
{
    long long number;
    const char *text;

    if (size != 0 && (kind == 's' || kind == 'c'))
        kind = 'S'; /* wide characters */
    switch (kind) {
    case 'd':
    case 'i':
        number = signed_argument(size, arguments);
        put_number(sink, number < 0 ? -(unsigned long long)number : (unsigned long long)number, number < 0, 'd', style);
        break;
    case 'u':
    case 'o':
    case 'x':
    case 'X':
        put_number(sink, unsigned_argument(size, arguments), 0, kind, style);
        break;
    case 'c': {
        char letter = (char)va_arg(*arguments, int);

        if (!style->left)
            repeat(sink, ' ', style->width - 1);
        put(sink, letter);
        if (style->left)
            repeat(sink, ' ', style->width - 1);
        break;
    }
    case 's':
        text = va_arg(*arguments, const char *);
        if (text == NULL)
            text = style->has_precision && style->precision < 6 ? "" : "(null)";
        put_text(sink, text, style);
        break;
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
        put_real(sink, va_arg(*arguments, double), kind, style);
        break;
    case '%':
        put(sink, '%');
        break;
    default:
        __stateglass_refuse("formatting by anything but %d, %i, %u, %o, %x, %c, %s, %e, %f and %g");
    }
}

int __stateglass_format(char *to, size_t n, const char *format, va_list given)
{
    struct sink sink = {to, n == 0 ? 0 : n - 1, 0};
    va_list arguments;

    va_copy(arguments, given);
    for (; *format != '\0'; ++format) {
        if (*format != '%') {
            put(&sink, *format);
        } else {
            struct style style = {0};
            char size;

            format = read_style(format + 1, &style, &arguments);
            format = read_size(format, &size);
            put_argument(&sink, *format, size, &style, &arguments);
        }
    }
    va_end(arguments);
    if (n != 0)
        to[sink.length < sink.room ? sink.length : sink.room] = '\0';
    return (int)sink.length;
}

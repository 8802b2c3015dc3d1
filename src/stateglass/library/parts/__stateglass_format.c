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
    case '%':
        put(sink, '%');
        break;
    default:
        __stateglass_refuse("formatting anything but integers, characters and strings");
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

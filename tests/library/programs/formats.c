/* Text made of numbers and numbers made of text. */
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void observe(long long value);

static char text[120];

static void show(int length)
{
    const char *at;

    observe(length);
    for (at = text; *at; ++at)
        observe(*at);
}

static int through_list(size_t room, const char *format, ...)
{
    va_list list;
    int length;

    va_start(list, format);
    length = vsnprintf(text, room, format, list);
    va_end(list);
    return length;
}

static void integers(void)
{
    show(sprintf(text, "%d %i %u %x %X %o", -5, 7, 4000000000u, 255, 255, 8));
    show(sprintf(text, "[%5d|%-5d|%05d|%+d|% d|%+05d|%.3d|%8.3d|%.0d]", 42, 42, 42, 42, 42, 42, 42, -42, 0));
    show(sprintf(text, "[%#x|%#X|%#o|%#8x|%08x|%#010x|%#x|%#o]", 255, 255, 8, 255, 255, 255, 0, 0));
    show(sprintf(text, "%hhd %hd %ld %lld %zu %jd", 300, 70000, -5L, 1LL << 40, (size_t)9, (intmax_t)-4));
    show(sprintf(text, "%lld %llu", INT64_MIN + 0LL, ~0ull));
}

static void strings(void)
{
    show(sprintf(text, "%s|%5s|%-5s|%.2s|%c|%3c|%-3c|%%", "abc", "ab", "ab", "abc", 'x', 'y', 'z'));
    show(snprintf(text, 5, "%d", 1234567)), show(snprintf(text, 1, "abc"));
    observe(snprintf(NULL, 0, "%s", "four"));
    show(through_list(sizeof text, "%*d|%-*d|%.*s|%s", 5, 1, 4, 2, 2, "abcd", (char *)0));
    show(through_list(7, "%s %s", "some", "words"));
}

static void reals(void)
{
    show(sprintf(text, "%f %.0f %.2f %8.3f|%-8.1f|%+.1f|%08.2f", 3.14159, 2.5, 0.005, -1.5, 2.25, 7.0, -3.5));
    show(sprintf(text, "%e %.0e %.10E %g %g %g %G", 12345.678, 0.0, 1e-5, 100000.0, 1e6, 0.0001, 1e-5));
    show(sprintf(text, "%g %#g %g %f %e", 0.1, 1.0, 1e300, INFINITY, -NAN));
    show(sprintf(text, "%.20f %.17g", 0.1, DBL_MIN));
}

static void back(void)
{
    static const char *const texts[] = {
        "3.14", " -0.1e2x", "1e-3", "9007199254740993", "4.9e-324", "2.4e-324", "1e400", ".5.", "e", "inf", "-nan",
        "123456789012345678901234567890", "0.000000000000000000000000000001", "2.2250738585072014e-308"};
    size_t i;

    for (i = 0; i < sizeof texts / sizeof *texts; ++i) {
        char *end;
        double number = strtod(texts[i], &end);
        float narrow = strtof(texts[i], NULL);
        long long bits = 0;
        int narrow_bits = 0;

        observe(end - texts[i]);
        if (!isnan(number)) {
            memcpy(&bits, &number, sizeof number);
            memcpy(&narrow_bits, &narrow, sizeof narrow);
        }
        observe(bits), observe(narrow_bits), observe(atof(texts[i]) == number);
    }
}

int main(void)
{
    integers();
    strings();
    reals();
    back();
    return 0;
}

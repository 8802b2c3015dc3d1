/* Floating-point numbers: our functions against those of this machine; the main program is agreement.c. */
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 20000
#define OURS(name) extern __typeof__(name) sg_##name

extern int sg_errno;
void check(int same, const char *name, const char *input);
unsigned long long random_bits(void);
void numbers_with_a_point(void);

void __stateglass_refuse(const char *what) { check(0, "refused", what); }

static unsigned below(unsigned n) { return (unsigned)(random_bits() % n); }
static int same(double a, double b) { return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0; }
static int samef(float a, float b) { return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0; }
/* Ten of sixteen bytes count on this machine; elsewhere all do. */
static int samel(long double a, long double b)
{
    return (isnan(a) && isnan(b)) || (a == b && !signbit(a) == !signbit(b));
}

static double any(void)
{
    static const double special[] = {
        0, -0.0, INFINITY, -INFINITY, NAN, 0.5, -0.5, 1.5, 2.5, -2.5, 0.125, 0.49999999999999994, 4503599627370496.5,
        9007199254740993.0, 9223372036854775808.0, 1e308, 5e-324, 2.2250738585072014e-308, 0.0001, 0.00001, 1e15};
    unsigned long long bits = random_bits();
    double number;

    switch (below(6)) {
    case 0: break;
    case 1: return (double)(long long)(bits % 4001 - 2000) / (double)(1 << below(6));
    case 2: return special[below(sizeof special / sizeof *special)];
    case 3: return (double)(bits % 200000) / 1000;
    case 4: bits = (bits & 0x800fffffffffffffULL) | (unsigned long long)below(4) << 52; break;
    default: bits = (bits & 0x800fffffffffffffULL) | (unsigned long long)(963 + below(120)) << 52;
    }
    memcpy(&number, &bits, sizeof number);
    return isnan(number) ? NAN : number;
}

OURS(fabs); OURS(trunc); OURS(floor); OURS(ceil); OURS(round); OURS(rint); OURS(nearbyint); OURS(copysign);
OURS(fabsf); OURS(truncf); OURS(floorf); OURS(ceilf); OURS(roundf); OURS(rintf); OURS(nearbyintf); OURS(copysignf);
OURS(fabsl); OURS(truncl); OURS(floorl); OURS(ceill); OURS(roundl); OURS(rintl); OURS(nearbyintl); OURS(copysignl);
OURS(fmin); OURS(fmax); OURS(fdim); OURS(fmod); OURS(modf); OURS(frexp); OURS(sqrt); OURS(scalbn); OURS(ldexp);
OURS(fminf); OURS(fmaxf); OURS(fdimf); OURS(fmodf); OURS(modff); OURS(frexpf); OURS(sqrtf);
OURS(fminl); OURS(fmaxl); OURS(fdiml); OURS(fmodl); OURS(modfl); OURS(frexpl); OURS(scalbnl); OURS(ldexpl);
OURS(lround); OURS(llround); OURS(lrint); OURS(llrint); OURS(lroundf); OURS(llroundf); OURS(lrintf); OURS(llrintf);
OURS(lroundl); OURS(llroundl); OURS(lrintl); OURS(llrintl);

#define ONE(n) \
    check(same(n(x), sg_##n(x)), #n, text); check(samef(n##f(fx), sg_##n##f(fx)), #n "f", text); \
    check(samel(n##l(lx), sg_##n##l(lx)), #n "l", text)
#define ERRNO(is_same) (errno = sg_errno = 0, (is_same) && errno == sg_errno)
#define TWO(n) \
    check(ERRNO(same(n(x, y), sg_##n(x, y))), #n, text); \
    check(ERRNO(samef(n##f(fx, fy), sg_##n##f(fx, fy))), #n "f", text); \
    check(ERRNO(samel(n##l(lx, ly), sg_##n##l(lx, ly))), #n "l", text)
#define WHOLE(n) \
    check(n(x) == sg_##n(x), #n, text); check(n##f(fx) == sg_##n##f(fx), #n "f", text); \
    check(n##l(lx) == sg_##n##l(lx), #n "l", text)

static void functions(void)
{
    double x = any(), y = any(), whole = 0, our_whole = 0;
    float fx = (float)x, fy = (float)y, fwhole = 0, our_fwhole = 0;
    long double lx = x, ly = y, lwhole = 0, our_lwhole = 0;
    int exponent = (int)below(4400) - 2200, e = 0, our_e = 0;
    char text[80];

    if (below(2))
        lx += lx * 0x1p-60L;
    sprintf(text, "%a %a %d", x, y, exponent);
    ONE(fabs); ONE(trunc); ONE(floor); ONE(ceil); ONE(round); ONE(rint); ONE(nearbyint);
    TWO(copysign); TWO(fmin); TWO(fmax); TWO(fdim);
    if (below(20) == 0) {
        TWO(fmod);
    }
    check(ERRNO(same(sqrt(x), sg_sqrt(x))), "sqrt", text);
    check(ERRNO(samef(sqrtf(fx), sg_sqrtf(fx))), "sqrtf", text);
    check(same(modf(x, &whole), sg_modf(x, &our_whole)) && same(whole, our_whole), "modf", text);
    check(samef(modff(fx, &fwhole), sg_modff(fx, &our_fwhole)) && samef(fwhole, our_fwhole), "modff", text);
    check(samel(modfl(lx, &lwhole), sg_modfl(lx, &our_lwhole)) && samel(lwhole, our_lwhole), "modfl", text);
    check(same(frexp(x, &e), sg_frexp(x, &our_e)) && (e == our_e || !isfinite(x)), "frexp", text);
    check(samef(frexpf(fx, &e), sg_frexpf(fx, &our_e)) && (e == our_e || !isfinite(fx)), "frexpf", text);
    check(samel(frexpl(lx, &e), sg_frexpl(lx, &our_e)) && (e == our_e || !isfinite(lx)), "frexpl", text);
    check(same(scalbn(x, exponent), sg_scalbn(x, exponent)), "scalbn", text);
    check(samel(scalbnl(lx, exponent), sg_scalbnl(lx, exponent)), "scalbnl", text);
    check(ERRNO(same(ldexp(x, exponent), sg_ldexp(x, exponent))), "ldexp", text);
    check(ERRNO(samel(ldexpl(lx, exponent), sg_ldexpl(lx, exponent))), "ldexpl", text);
    if (fabs(x) < 1e18) {
        WHOLE(lround); WHOLE(llround); WHOLE(lrint); WHOLE(llrint);
    }
}

OURS(snprintf); OURS(sprintf); OURS(vsnprintf); OURS(vsprintf); OURS(strtod); OURS(strtof); OURS(atof);

static char one[600], two[600];

static void compare(const char *format, const char *name, int expected, int actual)
{
    check(expected == actual && memcmp(one, two, sizeof one) == 0, name, format);
    memset(one, 7, sizeof one);
    memset(two, 7, sizeof two);
}

static int through_list(int ours, int bounded, const char *format, ...)
{
    va_list list;
    int length;

    va_start(list, format);
    if (bounded)
        length = ours ? sg_vsnprintf(two, 9, format, list) : vsnprintf(one, 9, format, list);
    else
        length = ours ? sg_vsprintf(two, format, list) : vsprintf(one, format, list);
    va_end(list);
    return length;
}

static char *style(char *format)
{
    const char *flag;

    *format++ = '%';
    for (flag = "-+ #0"; *flag; ++flag)
        if (below(4) == 0)
            *format++ = *flag;
    if (below(2))
        format += sprintf(format, "%u", below(20));
    if (below(2))
        format += sprintf(format, ".%u", below(14));
    return format;
}

static void formats(void)
{
    static const char *const sizes[] = {"hh", "h", "", "l", "ll", "j", "z", "t"};
    char format[40];
    size_t room = below(3) ? sizeof one : below(10);
    long long number = (long long)(random_bits() >> below(64)) * (below(2) ? 1 : -1);
    /* The machine's library gets #g wrong where a number is rounded up to a power of ten. */
    double real = any();

    sprintf(style(format), "%c", "eEfFgG"[below(6)]);
    if (fabs(real) < 1e200)
        compare(format, "snprintf", snprintf(one, room, format, real), sg_snprintf(two, room, format, real));
    sprintf(style(format), "%s%c", sizes[below(8)], "diuxXo"[below(6)]);
    compare(format, "snprintf", snprintf(one, room, format, number), sg_snprintf(two, room, format, number));
    compare(format, "sprintf", sprintf(one, format, number), sg_sprintf(two, format, number));
    sprintf(style(format), "s|%%c|%%%%|%%*d|%%-*.*s|%%i");
    compare(format, "vsprintf", through_list(0, 0, format, "four", 'c', 5, 6, -7, 2, "text", 9),
        through_list(1, 0, format, "four", 'c', 5, 6, -7, 2, "text", 9));
    compare(format, "vsnprintf", through_list(0, 1, format, NULL, 'c', -5, 6, 7, -2, "text", 9),
        through_list(1, 1, format, NULL, 'c', -5, 6, 7, -2, "text", 9));
}

static void texts(void)
{
    static const char *const special[] = {
        "inf", "INFINITY", "nan", "infin", "na", "", "e5", ".", "1e", "1e+", "-", "1.e5", ".5", "00.00",
        "2.2250738585072012e-308", "4.9e-324", "2.4e-324", "2.5e-324", "1.7976931348623158e308",
        "1.7976931348623159e308", "9007199254740993", "9007199254740992.5", "1e99999", "1e-99999"};
    char text[200], *at = text, *end, *our_end;
    double number, our_number;
    float narrow, our_narrow;
    unsigned count;

    at += sprintf(at, "%s%s", below(5) ? "" : " \t", below(3) ? "" : below(2) ? "-" : "+");
    switch (below(4)) {
    case 0:
        at += sprintf(at, "%s", special[below(sizeof special / sizeof *special)]);
        break;
    case 1:
        at += sprintf(at, "%.*e", (int)below(25), any());
        break;
    case 2:
        at += sprintf(at, "%.*f", (int)below(20), (double)(random_bits() % 100000000) / 1000);
        break;
    default:
        for (count = below(25); count > 0; --count)
            *at++ = (char)('0' + below(10));
        *at++ = below(2) ? '.' : '7';
        for (count = below(25); count > 0; --count)
            *at++ = (char)('0' + below(10));
        if (below(2))
            at += sprintf(at, "e%d", (int)below(660) - 330);
    }
    strcpy(at, below(9) ? "" : "y");
    errno = sg_errno = 0;
    number = strtod(text, &end);
    our_number = sg_strtod(text, &our_end);
    check(same(number, our_number) && end == our_end && errno == sg_errno, "strtod", text);
    errno = sg_errno = 0;
    narrow = strtof(text, &end);
    our_narrow = sg_strtof(text, &our_end);
    check(samef(narrow, our_narrow) && end == our_end && errno == sg_errno, "strtof", text);
    check(same(atof(text), sg_atof(text)), "atof", text);
}

void numbers_with_a_point(void)
{
    int round;

    for (round = 0; round < ROUNDS; ++round) {
        functions();
        formats();
        texts();
    }
}

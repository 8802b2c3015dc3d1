#include <math.h>
#include <errno.h>

long double ldexpl(long double x, int exponent)
{
    long double scaled = scalbnl(x, exponent);

    if (x != 0 && isfinite(x) && (scaled == 0 || isinf(scaled)))
        errno = ERANGE;
    return scaled;
}

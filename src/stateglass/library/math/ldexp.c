#include <math.h>
#include <errno.h>

double ldexp(double x, int exponent)
{
    double scaled = scalbn(x, exponent);

    if (x != 0 && isfinite(x) && (scaled == 0 || isinf(scaled)))
        errno = ERANGE;
    return scaled;
}

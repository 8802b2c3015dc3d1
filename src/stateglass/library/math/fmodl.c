#include <math.h>
#include <errno.h>

long double fmodl(long double x, long double y)
{
    long double rest = fabsl(x), least = fabsl(y), step = least;

    if (isnan(x) || isnan(y))
        return x * y;
    if (isinf(x) || least == 0) {
        errno = EDOM;
        return (x * y) / (x * y);
    }
    if (isinf(y))
        return x;
    /* As on paper, in base 2: every step is exact. */
    while (step <= rest / 2)
        step *= 2;
    for (; step >= least; step /= 2) {
        if (rest >= step)
            rest -= step;
        if (step == least)
            break;
    }
    return copysignl(rest, x);
}

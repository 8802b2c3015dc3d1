#include <math.h>

long double frexpl(long double x, int *exponent)
{
    *exponent = 0;
    if (x == 0 || !isfinite(x))
        return x;
    for (; fabsl(x) >= 1; x /= 2)
        ++*exponent;
    for (; fabsl(x) < 0.5; x *= 2)
        --*exponent;
    return x;
}

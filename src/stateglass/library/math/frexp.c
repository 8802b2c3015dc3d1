#include <math.h>

double frexp(double x, int *exponent)
{
    *exponent = 0;
    if (x == 0 || !isfinite(x))
        return x;
    for (; fabs(x) >= 1; x /= 2)
        ++*exponent;
    for (; fabs(x) < 0.5; x *= 2)
        --*exponent;
    return x;
}

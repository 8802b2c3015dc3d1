#include <math.h>
#include <float.h>

/* Only the last step may be inexact: the result is rounded once. */
double scalbn(double x, int exponent)
{
    double least = DBL_MIN, power = 1;

    if (x == 0 || !isfinite(x))
        return x;
    for (; exponent > 0 && isfinite(x); --exponent)
        x *= 2;
    for (; exponent < 0 && fabs(x) >= 2 * least; ++exponent)
        x /= 2;
    for (; exponent < 0 && power != 0; ++exponent)
        power /= 2;
    return x * power;
}

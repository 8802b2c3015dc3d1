#include <math.h>

double modf(double x, double *whole)
{
    *whole = trunc(x);
    return copysign(isinf(x) ? 0 : x - *whole, x);
}

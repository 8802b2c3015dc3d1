#include <math.h>

long double modfl(long double x, long double *whole)
{
    *whole = truncl(x);
    return copysignl(isinf(x) ? 0 : x - *whole, x);
}

#include <math.h>

long double ceill(long double x)
{
    long double whole = truncl(x);

    return whole < x ? copysignl(whole + 1, x) : whole;
}

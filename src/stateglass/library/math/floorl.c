#include <math.h>

long double floorl(long double x)
{
    long double whole = truncl(x);

    return whole > x ? whole - 1 : whole;
}

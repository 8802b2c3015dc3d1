#include <math.h>

double ceil(double x)
{
    double whole = trunc(x);

    return whole < x ? copysign(whole + 1, x) : whole;
}

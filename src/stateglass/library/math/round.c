#include <math.h>

double round(double x)
{
    double whole = trunc(x);

    return fabs(x - whole) >= 0.5 ? whole + copysign(1, x) : whole;
}

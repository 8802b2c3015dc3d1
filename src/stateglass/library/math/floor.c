#include <math.h>

double floor(double x)
{
    double whole = trunc(x);

    return whole > x ? whole - 1 : whole;
}

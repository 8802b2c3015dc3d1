#include <math.h>

double fmin(double x, double y)
{
    if (isnan(x) || isnan(y))
        return isnan(x) ? y : x;
    return x < y ? x : y;
}

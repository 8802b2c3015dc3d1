#include <math.h>

double fmax(double x, double y)
{
    if (isnan(x) || isnan(y))
        return isnan(x) ? y : x;
    return x > y ? x : y;
}

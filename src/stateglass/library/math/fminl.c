#include <math.h>

long double fminl(long double x, long double y)
{
    if (isnan(x) || isnan(y))
        return isnan(x) ? y : x;
    return x <= y ? x : y;
}

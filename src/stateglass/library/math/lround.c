#include <math.h>

long lround(double x)
{
    return (long)round(x);
}

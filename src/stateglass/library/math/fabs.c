#include <math.h>

double fabs(double x)
{
    return signbit(x) ? -x : x;
}

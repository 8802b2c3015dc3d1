#include <math.h>

double nearbyint(double x)
{
    return rint(x);
}

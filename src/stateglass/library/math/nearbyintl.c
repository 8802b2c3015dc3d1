#include <math.h>

long double nearbyintl(long double x)
{
    return rintl(x);
}

#include <math.h>

long double copysignl(long double x, long double y)
{
    return !signbit(x) == !signbit(y) ? x : -x;
}

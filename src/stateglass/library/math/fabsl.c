#include <math.h>

long double fabsl(long double x)
{
    return signbit(x) ? -x : x;
}

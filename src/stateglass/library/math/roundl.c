#include <math.h>

long double roundl(long double x)
{
    long double whole = truncl(x);

    return fabsl(x - whole) >= 0.5 ? whole + copysignl(1, x) : whole;
}

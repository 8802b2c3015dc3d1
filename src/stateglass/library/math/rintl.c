#include <math.h>

/* To the nearest, and if there are two, to the even one. */
long double rintl(long double x)
{
    long double whole = truncl(x), rest = fabsl(x - whole);

    if (rest > 0.5 || (rest == 0.5 && whole / 2 != truncl(whole / 2)))
        whole += copysignl(1, x);
    return whole;
}

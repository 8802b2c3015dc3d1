#include <math.h>

/* To the nearest, and if there are two, to the even one. */
double rint(double x)
{
    double whole = trunc(x), rest = fabs(x - whole);

    if (rest > 0.5 || (rest == 0.5 && whole / 2 != trunc(whole / 2)))
        whole += copysign(1, x);
    return whole;
}

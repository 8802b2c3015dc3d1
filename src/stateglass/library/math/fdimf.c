#include <math.h>
#include <errno.h>

float fdimf(float x, float y)
{
    float difference = x <= y ? 0 : x - y;

    if (isinf(difference) && isfinite(x) && isfinite(y))
        errno = ERANGE;
    return difference;
}

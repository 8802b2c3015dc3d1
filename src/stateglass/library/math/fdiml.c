#include <math.h>
#include <errno.h>

long double fdiml(long double x, long double y)
{
    long double difference = x <= y ? 0 : x - y;

    if (isinf(difference) && isfinite(x) && isfinite(y))
        errno = ERANGE;
    return difference;
}

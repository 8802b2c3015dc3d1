#include <math.h>
#include <errno.h>

double fdim(double x, double y)
{
    double difference = x <= y ? 0 : x - y;

    if (isinf(difference) && isfinite(x) && isfinite(y))
        errno = ERANGE;
    return difference;
}

#include <math.h>

/* From so much on every number is whole, and below it fits the integer. */
#define LEAST_WHOLE 9223372036854775808.0

double trunc(double x)
{
    return fabs(x) < LEAST_WHOLE ? copysign((double)(long long)x, x) : x;
}

#include <math.h>
#include <float.h>

/* From so much on every number is whole, and below it fits the integer. */
#if LDBL_MANT_DIG > 64 && defined __SIZEOF_INT128__
typedef __int128 whole;
#define LEAST_WHOLE 5192296858534827628530496329220096.0L
#else
typedef long long whole;
#define LEAST_WHOLE 9223372036854775808.0L
#endif

long double truncl(long double x)
{
    return fabsl(x) < LEAST_WHOLE ? copysignl((long double)(whole)x, x) : x;
}

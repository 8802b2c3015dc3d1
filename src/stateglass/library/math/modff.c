#include <math.h>

float modff(float x, float *whole)
{
    *whole = truncf(x);
    return copysignf(isinf(x) ? 0 : x - *whole, x);
}

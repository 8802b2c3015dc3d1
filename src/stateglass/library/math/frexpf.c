#include <math.h>

float frexpf(float x, int *exponent)
{
    return (float)frexp(x, exponent);
}

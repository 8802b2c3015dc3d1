#include <math.h>

float fabsf(float x)
{
    return (float)fabs(x);
}

#include <math.h>

float ceilf(float x)
{
    return (float)ceil(x);
}

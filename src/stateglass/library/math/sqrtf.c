#include <math.h>

float sqrtf(float x)
{
    return (float)sqrt(x);
}

#include <math.h>

float copysignf(float x, float y)
{
    return (float)copysign(x, y);
}

#include <math.h>

float roundf(float x)
{
    return (float)round(x);
}

#include <math.h>

float truncf(float x)
{
    return (float)trunc(x);
}

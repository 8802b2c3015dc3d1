#include <math.h>

float floorf(float x)
{
    return (float)floor(x);
}

#include <math.h>

float nearbyintf(float x)
{
    return (float)nearbyint(x);
}

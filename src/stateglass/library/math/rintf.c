#include <math.h>

float rintf(float x)
{
    return (float)rint(x);
}

#include <math.h>

float fminf(float x, float y)
{
    return (float)fmin(x, y);
}

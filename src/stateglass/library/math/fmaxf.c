#include <math.h>

float fmaxf(float x, float y)
{
    return (float)fmax(x, y);
}

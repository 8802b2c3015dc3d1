#include <math.h>

float fmodf(float x, float y)
{
    return (float)fmod(x, y);
}

#include <math.h>

long lrintf(float x)
{
    return lrint(x);
}

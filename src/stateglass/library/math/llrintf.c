#include <math.h>

long long llrintf(float x)
{
    return llrint(x);
}

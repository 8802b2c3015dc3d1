#include <math.h>

long lrint(double x)
{
    return (long)rint(x);
}

#include <math.h>

long lroundl(long double x)
{
    return (long)roundl(x);
}

#include <math.h>

long long llroundl(long double x)
{
    return (long long)roundl(x);
}

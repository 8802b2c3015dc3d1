#include <math.h>

long lrintl(long double x)
{
    return (long)rintl(x);
}

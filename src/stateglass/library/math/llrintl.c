#include <math.h>

long long llrintl(long double x)
{
    return (long long)rintl(x);
}

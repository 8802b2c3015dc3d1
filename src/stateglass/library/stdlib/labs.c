#include <stdlib.h>

long labs(long n)
{
    return n < 0 ? -n : n;
}

#include <stdlib.h>

int abs(int n)
{
    return n < 0 ? -n : n;
}

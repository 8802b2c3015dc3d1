#include <strings.h>

int ffsll(long long i)
{
    unsigned long long bits = (unsigned long long)i;
    int position = 1;

    if (bits == 0)
        return 0;
    while ((bits & 1) == 0) {
        bits >>= 1;
        ++position;
    }
    return position;
}

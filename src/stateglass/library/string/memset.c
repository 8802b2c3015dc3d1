#include <string.h>

void *memset(void *s, int c, size_t n)
{
    unsigned char *bytes = s;
    size_t i;

    for (i = 0; i < n; ++i)
        bytes[i] = (unsigned char)c;
    return s;
}

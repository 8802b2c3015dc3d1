#include <string.h>

void explicit_bzero(void *s, size_t n)
{
    unsigned char *bytes = s;
    size_t i;

    for (i = 0; i < n; ++i)
        bytes[i] = 0;
}

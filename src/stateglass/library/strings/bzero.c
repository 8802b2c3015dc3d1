#include <strings.h>

void bzero(void *s, size_t n)
{
    unsigned char *bytes = s;
    size_t i;

    for (i = 0; i < n; ++i)
        bytes[i] = 0;
}

#include <string.h>

void *memchr(const void *s, int c, size_t n)
{
    const unsigned char *bytes = s;
    size_t i;

    for (i = 0; i < n; ++i) {
        if (bytes[i] == (unsigned char)c)
            return (void *)(bytes + i);
    }
    return NULL;
}

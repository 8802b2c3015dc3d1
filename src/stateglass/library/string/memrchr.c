#define _GNU_SOURCE
#include <string.h>

void *memrchr(const void *s, int c, size_t n)
{
    const unsigned char *bytes = s;

    while (n-- > 0) {
        if (bytes[n] == (unsigned char)c)
            return (void *)(bytes + n);
    }
    return NULL;
}

#include <string.h>

void *memccpy(void *__restrict to, const void *__restrict from, int c, size_t n)
{
    unsigned char *target = to;
    const unsigned char *source = from;
    size_t i;

    for (i = 0; i < n; ++i) {
        target[i] = source[i];
        if (source[i] == (unsigned char)c)
            return target + i + 1;
    }
    return NULL;
}

#define _GNU_SOURCE
#include <string.h>

void *memmem(const void *s, size_t n, const void *part, size_t m)
{
    const unsigned char *bytes = s;
    const unsigned char *wanted = part;
    size_t start;

    for (start = 0; m <= n && start <= n - m; ++start) {
        size_t i = 0;

        while (i < m && bytes[start + i] == wanted[i])
            ++i;
        if (i == m)
            return (void *)(bytes + start);
    }
    return NULL;
}

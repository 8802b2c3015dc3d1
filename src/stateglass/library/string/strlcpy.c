#include <string.h>

size_t strlcpy(char *__restrict to, const char *__restrict from, size_t n)
{
    size_t i;

    for (i = 0; from[i] != '\0'; ++i) {
        if (i + 1 < n)
            to[i] = from[i];
    }
    if (n > 0)
        to[i < n ? i : n - 1] = '\0';
    return i;
}

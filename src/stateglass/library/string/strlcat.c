#include <string.h>

size_t strlcat(char *__restrict to, const char *__restrict from, size_t n)
{
    size_t end = 0;
    size_t i;

    while (end < n && to[end] != '\0')
        ++end;
    for (i = 0; from[i] != '\0'; ++i) {
        if (end + i + 1 < n)
            to[end + i] = from[i];
    }
    if (end < n)
        to[end + i < n ? end + i : n - 1] = '\0';
    return end + i;
}

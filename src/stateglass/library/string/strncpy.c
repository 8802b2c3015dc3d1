#include <string.h>
#include <stateglass/intrinsics.h>

char *strncpy(char *__restrict to, const char *__restrict from, size_t n)
{
    size_t i = 0;

    while (i < n && from[i] != '\0')
        ++i;
    __stateglass_apart(to, i < n ? i + 1 : n, from, i < n ? i + 1 : n);
    __stateglass_copy(to, from, i);
    for (; i < n; ++i)
        to[i] = '\0';
    return to;
}

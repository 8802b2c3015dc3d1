#include <string.h>
#include <stateglass/intrinsics.h>

char *strncat(char *__restrict to, const char *__restrict from, size_t n)
{
    size_t end = 0;
    size_t i = 0;

    while (to[end] != '\0')
        ++end;
    while (i < n && from[i] != '\0')
        ++i;
    __stateglass_apart(to, end + i + 1, from, i);
    __stateglass_copy(to + end, from, i);
    to[end + i] = '\0';
    return to;
}

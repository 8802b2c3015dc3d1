#include <string.h>
#include <stateglass/intrinsics.h>

char *strcat(char *__restrict to, const char *__restrict from)
{
    size_t end = 0;
    size_t n = 0;

    while (to[end] != '\0')
        ++end;
    while (from[n++] != '\0')
        ;
    __stateglass_apart(to, end + n, from, n);
    __stateglass_copy(to + end, from, n);
    return to;
}

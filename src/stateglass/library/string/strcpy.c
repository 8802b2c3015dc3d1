#include <string.h>
#include <stateglass/intrinsics.h>

char *strcpy(char *__restrict to, const char *__restrict from)
{
    size_t n = 0;

    while (from[n++] != '\0')
        ;
    __stateglass_apart(to, n, from, n);
    __stateglass_copy(to, from, n);
    return to;
}

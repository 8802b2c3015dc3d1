#include <string.h>
#include <stateglass/intrinsics.h>

char *stpncpy(char *__restrict to, const char *__restrict from, size_t n)
{
    size_t length = 0;
    size_t i;

    while (length < n && from[length] != '\0')
        ++length;
    __stateglass_apart(to, length < n ? length + 1 : n, from, length < n ? length + 1 : n);
    __stateglass_copy(to, from, length);
    for (i = length; i < n; ++i)
        to[i] = '\0';
    return to + length;
}

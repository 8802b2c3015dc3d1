#include <string.h>
#include <stdlib.h>
#include <stateglass/intrinsics.h>

/* By way of malloc, so that a program's own one is used. */
char *strdup(const char *s)
{
    size_t n = 0;
    char *copy;

    while (s[n] != '\0')
        ++n;
    copy = malloc(n + 1);
    if (copy != NULL)
        __stateglass_copy(copy, s, n + 1);
    return copy;
}

#include <string.h>
#include <stdlib.h>
#include <stateglass/intrinsics.h>

/* By way of malloc, so that a program's own one is used. */
char *strndup(const char *s, size_t n)
{
    size_t length = 0;
    char *copy;

    while (length < n && s[length] != '\0')
        ++length;
    copy = malloc(length + 1);
    if (copy != NULL) {
        __stateglass_copy(copy, s, length);
        copy[length] = '\0';
    }
    return copy;
}

#include <string.h>

char *stpncpy(char *__restrict to, const char *__restrict from, size_t n)
{
    size_t length = 0;
    size_t i;

    for (; length < n && from[length] != '\0'; ++length)
        to[length] = from[length];
    for (i = length; i < n; ++i)
        to[i] = '\0';
    return to + length;
}

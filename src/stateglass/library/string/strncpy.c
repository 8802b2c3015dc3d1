#include <string.h>

char *strncpy(char *__restrict to, const char *__restrict from, size_t n)
{
    size_t i = 0;

    for (; i < n && from[i] != '\0'; ++i)
        to[i] = from[i];
    for (; i < n; ++i)
        to[i] = '\0';
    return to;
}

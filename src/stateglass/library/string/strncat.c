#include <string.h>

char *strncat(char *__restrict to, const char *__restrict from, size_t n)
{
    size_t end = 0;
    size_t i;

    while (to[end] != '\0')
        ++end;
    for (i = 0; i < n && from[i] != '\0'; ++i)
        to[end + i] = from[i];
    to[end + i] = '\0';
    return to;
}

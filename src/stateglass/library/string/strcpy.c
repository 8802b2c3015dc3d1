#include <string.h>

char *strcpy(char *__restrict to, const char *__restrict from)
{
    size_t i;

    for (i = 0; from[i] != '\0'; ++i)
        to[i] = from[i];
    to[i] = '\0';
    return to;
}

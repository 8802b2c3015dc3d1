#include <string.h>

size_t strxfrm(char *__restrict to, const char *__restrict from, size_t n)
{
    size_t i;

    for (i = 0; from[i] != '\0'; ++i) {
        if (i < n)
            to[i] = from[i];
    }
    if (i < n)
        to[i] = '\0';
    return i;
}

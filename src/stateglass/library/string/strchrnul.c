#define _GNU_SOURCE
#include <string.h>

char *strchrnul(const char *s, int c)
{
    while (*s != '\0' && *s != (char)c)
        ++s;
    return (char *)s;
}

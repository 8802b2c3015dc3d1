#define _GNU_SOURCE
#include <string.h>

void *rawmemchr(const void *s, int c)
{
    const unsigned char *at = s;

    while (*at != (unsigned char)c)
        ++at;
    return (void *)at;
}

#define _GNU_SOURCE
#include <string.h>
#include <stateglass/parts.h>

static _Bool same(char a, char b)
{
    return __stateglass_lower((unsigned char)a) == __stateglass_lower((unsigned char)b);
}

char *strcasestr(const char *s, const char *part)
{
    for (;; ++s) {
        size_t i = 0;

        while (part[i] != '\0' && same(s[i], part[i]))
            ++i;
        if (part[i] == '\0')
            return (char *)s;
        if (*s == '\0')
            return NULL;
    }
}

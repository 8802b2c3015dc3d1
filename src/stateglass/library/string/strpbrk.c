#include <string.h>

static _Bool is_one_of(char c, const char *set)
{
    while (*set != '\0') {
        if (*set == c)
            return 1;
        ++set;
    }
    return 0;
}

char *strpbrk(const char *s, const char *accept)
{
    for (; *s != '\0'; ++s) {
        if (is_one_of(*s, accept))
            return (char *)s;
    }
    return NULL;
}

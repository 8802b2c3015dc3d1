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

size_t strspn(const char *s, const char *accept)
{
    size_t n = 0;

    while (s[n] != '\0' && is_one_of(s[n], accept))
        ++n;
    return n;
}

#include <string.h>

char *strrchr(const char *s, int c)
{
    const char *found = (const char *)0;

    for (;; ++s) {
        if (*s == (char)c)
            found = s;
        if (*s == '\0')
            return (char *)found;
    }
}

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

char *strsep(char **__restrict s, const char *__restrict delimiters)
{
    char *start = *s;
    char *at = start;

    if (start == NULL)
        return NULL;
    while (*at != '\0' && !is_one_of(*at, delimiters))
        ++at;
    if (*at == '\0') {
        *s = NULL;
    } else {
        *at = '\0';
        *s = at + 1;
    }
    return start;
}

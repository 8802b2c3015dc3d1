#include <stateglass/parts.h>

static _Bool is_one_of(char c, const char *set)
{
    while (*set != '\0') {
        if (*set == c)
            return 1;
        ++set;
    }
    return 0;
}

char *__stateglass_next_token(char *text, const char *delimiters, char **rest)
{
    char *start = text != (char *)0 ? text : *rest;
    char *at;

    if (start == (char *)0)
        return (char *)0;
    while (*start != '\0' && is_one_of(*start, delimiters))
        ++start;
    if (*start == '\0') {
        *rest = start;
        return (char *)0;
    }
    at = start;
    while (*at != '\0' && !is_one_of(*at, delimiters))
        ++at;
    if (*at != '\0')
        *at++ = '\0';
    *rest = at;
    return start;
}

#include <string.h>
#include <stateglass/parts.h>

char *strtok(char *__restrict s, const char *__restrict delimiters)
{
    static char *rest;

    return __stateglass_next_token(s, delimiters, &rest);
}

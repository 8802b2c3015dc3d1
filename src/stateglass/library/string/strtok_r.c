#include <string.h>
#include <stateglass/parts.h>

char *strtok_r(char *__restrict s, const char *__restrict delimiters, char **__restrict rest)
{
    return __stateglass_next_token(s, delimiters, rest);
}

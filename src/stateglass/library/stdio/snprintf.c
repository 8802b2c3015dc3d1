#include <stdarg.h>
#include <stdio.h>
#include <stateglass/parts.h>

int snprintf(char *s, size_t n, const char *format, ...)
{
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = __stateglass_format(s, n, format, arguments);
    va_end(arguments);
    return length;
}

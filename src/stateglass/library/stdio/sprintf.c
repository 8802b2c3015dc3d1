#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stateglass/parts.h>

int sprintf(char *s, const char *format, ...)
{
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = __stateglass_format(s, SIZE_MAX, format, arguments);
    va_end(arguments);
    return length;
}

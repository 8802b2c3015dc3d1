#include <stdint.h>
#include <stdio.h>
#include <stateglass/parts.h>

int vsprintf(char *s, const char *format, __builtin_va_list arguments)
{
    return __stateglass_format(s, SIZE_MAX, format, arguments);
}

#include <stdio.h>
#include <stateglass/parts.h>

int vsnprintf(char *s, size_t n, const char *format, __builtin_va_list arguments)
{
    return __stateglass_format(s, n, format, arguments);
}

#include <stateglass/parts.h>

int __stateglass_lower(int c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

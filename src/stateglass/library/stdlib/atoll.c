#include <stdlib.h>
#include <stateglass/parts.h>

long long atoll(const char *s)
{
    unsigned long long most = __LONG_LONG_MAX__;
    struct __stateglass_number number = __stateglass_read_number(s, 10, most, most + 1);

    if (number.negative && number.magnitude > 0)
        return (-(long long)(number.magnitude - 1) - 1);
    return (long long)number.magnitude;
}

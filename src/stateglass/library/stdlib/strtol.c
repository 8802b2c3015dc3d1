#include <errno.h>
#include <stdlib.h>
#include <stateglass/parts.h>

long strtol(const char *__restrict s, char **__restrict end, int base)
{
    unsigned long long most = __LONG_MAX__;
    struct __stateglass_number number;

    if (base < 0 || base == 1 || base > 36) {
        errno = EINVAL;
        return 0;
    }
    number = __stateglass_read_number(s, base, most, most + 1);
    if (end != (char **)0)
        *end = (char *)number.end;
    if (number.too_large)
        errno = ERANGE;
    if (number.negative && number.magnitude > 0)
        return -(long)(number.magnitude - 1) - 1;
    return (long)number.magnitude;
}

#include <errno.h>
#include <stdlib.h>
#include <stateglass/parts.h>

unsigned long strtoul(const char *__restrict s, char **__restrict end, int base)
{
    unsigned long long most = 2ULL * __LONG_MAX__ + 1;
    struct __stateglass_number number;

    if (base < 0 || base == 1 || base > 36) {
        errno = EINVAL;
        return 0;
    }
    number = __stateglass_read_number(s, base, most, most);
    if (end != (char **)0)
        *end = (char *)number.end;
    if (number.too_large) {
        errno = ERANGE;
        return (unsigned long)most;
    }
    return (unsigned long)(number.negative ? 0 - number.magnitude : number.magnitude);
}

#include <errno.h>
#include <inttypes.h>
#include <stateglass/parts.h>

uintmax_t strtoumax(const char *__restrict s, char **__restrict end, int base)
{
    unsigned long long most = __UINTMAX_MAX__;
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
        return (uintmax_t)most;
    }
    return (uintmax_t)(number.negative ? 0 - number.magnitude : number.magnitude);
}

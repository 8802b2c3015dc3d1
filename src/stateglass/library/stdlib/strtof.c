#include <errno.h>
#include <float.h>
#include <stdlib.h>
#include <stateglass/parts.h>

float strtof(const char *s, char **end)
{
    struct __stateglass_real real = __stateglass_read_real(s, FLT_MANT_DIG, FLT_MIN_EXP, FLT_MAX_EXP);

    if (real.out_of_range)
        errno = ERANGE;
    if (end != NULL)
        *end = (char *)real.end;
    return (float)real.value;
}

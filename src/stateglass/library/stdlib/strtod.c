#include <errno.h>
#include <float.h>
#include <stdlib.h>
#include <stateglass/parts.h>

double strtod(const char *s, char **end)
{
    struct __stateglass_real real = __stateglass_read_real(s, DBL_MANT_DIG, DBL_MIN_EXP, DBL_MAX_EXP);

    if (real.out_of_range)
        errno = ERANGE;
    if (end != NULL)
        *end = (char *)real.end;
    return (double)real.value;
}

#include <math.h>
#include <errno.h>
#include <float.h>

/* The least number of so many digits whose root has half as many before the point. */
#define LEAST (DBL_MANT_DIG % 2 ? DBL_MANT_DIG - 1 : DBL_MANT_DIG)
#define AFTER_POINT (DBL_MANT_DIG - LEAST / 2)

/* The digits of the root one after the other, as on paper, and one more, which tells how to round. */
double sqrt(double x)
{
    unsigned long long number, root = 0, rest = 0;
    double scale = 1;
    int digit;

    if (isnan(x) || x == 0 || (isinf(x) && x > 0))
        return x;
    if (x < 0) {
        errno = EDOM;
        return (x - x) / (x - x);
    }
    for (; x >= (double)(1ULL << (LEAST + 2)); x /= 4)
        scale *= 2;
    for (; x < (double)(1ULL << LEAST); x *= 4)
        scale /= 2;
    number = (unsigned long long)x;
    for (digit = DBL_MANT_DIG; digit >= 0; --digit) {
        rest = rest << 2 | (digit >= AFTER_POINT ? number >> 2 * (digit - AFTER_POINT) & 3 : 0);
        root <<= 1;
        if (rest > 2 * root) {
            rest -= 2 * root + 1;
            ++root;
        }
    }
    for (digit = 1; digit < AFTER_POINT; ++digit)
        scale /= 2;
    return (double)((root + 1) / 2) * scale;
}

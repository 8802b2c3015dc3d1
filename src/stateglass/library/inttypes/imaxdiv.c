#include <inttypes.h>

imaxdiv_t imaxdiv(intmax_t numerator, intmax_t denominator)
{
    imaxdiv_t result;

    result.quot = numerator / denominator;
    result.rem = numerator % denominator;
    return result;
}

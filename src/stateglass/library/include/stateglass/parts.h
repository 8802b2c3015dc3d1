/* Parts that several functions of the library share; their names are reserved, so no program defines them. */
#ifndef STATEGLASS_PARTS_H
#define STATEGLASS_PARTS_H

#ifdef __cplusplus
extern "C" {
#endif

/* A number read from text: its absolute value, cut at the limit if it is greater. */
struct __stateglass_number {
    unsigned long long magnitude;
    _Bool negative;
    _Bool too_large;
    const char *end; /* after the last digit; the start of the text if there is no number */
};

struct __stateglass_number __stateglass_read_number(
    const char *text, int base, unsigned long long most, unsigned long long most_negative);

char *__stateglass_next_token(char *text, const char *delimiters, char **rest);

int __stateglass_lower(int c);

/* What snprintf does: at most n - 1 characters and a closing NUL are written, and all are counted. */
int __stateglass_format(char *to, __SIZE_TYPE__ n, const char *format, __builtin_va_list arguments);

/* A decimal number, 0.d1d2d3... times ten to the power of `point`; the first and the last digit are not 0. */
#define STATEGLASS_MOST_DIGITS 800
struct __stateglass_decimal {
    int count, point;
    _Bool more; /* there are more digits behind, not all 0 */
    unsigned char digits[STATEGLASS_MOST_DIGITS];
};

/* Multiplies by two to the power of `bits`, which may be negative. */
void __stateglass_scale_decimal(struct __stateglass_decimal *decimal, int bits);

/* Which way `decimal` is rounded if only `count` digits are kept: 1 is up; ties go to the even digit. */
int __stateglass_rounds_up(const struct __stateglass_decimal *decimal, int count);

/* A number read from text, the nearest one with `precision` bits whose exponent is not less than `least`. */
struct __stateglass_real {
    double value;
    _Bool out_of_range;
    const char *end; /* after the number; the start of the text if there is none */
};
struct __stateglass_real __stateglass_read_real(const char *text, int precision, int least, int greatest);

#ifdef __cplusplus
}
#endif

#endif

/* Parts that several functions of the library share; their names are reserved, so no program defines them. */
#ifndef STATEGLASS_PARTS_H
#define STATEGLASS_PARTS_H

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

/* A decimal number read from text, as near as a double can be to it; `end` is left alone if there is none. */
double __stateglass_read_double(const char *text, const char **end);

#endif

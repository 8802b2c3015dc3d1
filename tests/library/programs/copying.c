/* Copies of objects as they are: padding, parts that were never written, pointers, overlap. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

extern void observe(long long value);

struct message {
    char kind;
    int number;
    const char *text;
    int never_written;
};

static int by_number(const void *a, const void *b)
{
    return ((const struct message *)a)->number - ((const struct message *)b)->number;
}

int main(void)
{
    struct message one, other, many[5];
    char line[] = "0123456789";
    unsigned char raw[sizeof(int)];
    int n = 0x01020304, i;

    one.kind = 'k';
    one.number = 7;
    one.text = "seven";
    memcpy(&other, &one, sizeof one);
    observe(other.kind + other.number + other.text[1]);
    memmove(line + 2, line, 6);
    observe(line[2] + 10 * line[7]);
    memmove(line, line + 3, 5);
    observe(line[0] + 10 * line[4]);
    observe((char *)mempcpy(line, "ab", 2) - line);
    memcpy(raw, &n, sizeof n);
    n = 0;
    memcpy(&n, raw, sizeof n);
    observe(n);
    for (i = 0; i < 5; ++i) {
        many[i].kind = (char)('a' + i);
        many[i].number = i * 3 % 5;
        many[i].text = &line[i];
    }
    qsort(many, 5, sizeof many[0], by_number);
    for (i = 0; i < 5; ++i)
        observe(many[i].kind * 100 + many[i].number * 10 + (many[i].text - line));
    return 0;
}

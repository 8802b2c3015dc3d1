/* Every character class, on every character. */
#include <ctype.h>

extern void observe(long long value);

int main(void)
{
    int c;

    for (c = -1; c < 256; ++c) {
        int classes = !!isalnum(c) | !!isalpha(c) << 1 | !!isblank(c) << 2 | !!iscntrl(c) << 3 | !!isdigit(c) << 4 |
            !!isgraph(c) << 5 | !!islower(c) << 6 | !!isprint(c) << 7 | !!ispunct(c) << 8 | !!isspace(c) << 9 |
            !!isupper(c) << 10 | !!isxdigit(c) << 11;
        observe(classes);
        observe(tolower(c) * 1000 + toupper(c));
    }
    return 0;
}

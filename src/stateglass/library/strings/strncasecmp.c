#include <strings.h>
#include <stateglass/parts.h>

int strncasecmp(const char *s1, const char *s2, size_t n)
{
    size_t i;

    for (i = 0; i < n; ++i) {
        int a = __stateglass_lower((unsigned char)s1[i]);
        int b = __stateglass_lower((unsigned char)s2[i]);

        if (a == 0 || a != b)
            return a - b;
    }
    return 0;
}

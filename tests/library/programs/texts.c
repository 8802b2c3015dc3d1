/* Looking at texts, and writing them byte by byte. */
#define _GNU_SOURCE
#include <string.h>

extern void observe(long long value);

static const char *const words[] = {"", "a", "ab", "abc", "abd", "ABC", "b,a;c", "\xe9t\xe9", "a a a"};
enum { COUNT = sizeof words / sizeof words[0] };

static int sign(int n) { return (n > 0) - (n < 0); }
static long long at(const char *base, const void *p) { return p == 0 ? -1 : (const char *)p - base; }

struct parts {
    char c;
    char d;
    short s;
    int i;
};

int main(void)
{
    char room[40];
    struct parts p, q;
    int i, j;

    for (i = 0; i < COUNT; ++i) {
        const char *a = words[i];
        observe((long long)strlen(a));
        observe((long long)strnlen(a, 2));
        observe(at(a, strchr(a, 'b')));
        observe(at(a, strchr(a, 0xe9)));
        observe(at(a, strrchr(a, 'a')));
        observe(at(a, strrchr(a, 0)));
        observe(at(a, memchr(a, 'c', strlen(a))));
        observe(at(a, strchrnul(a, ';')));
        for (j = 0; j < COUNT; ++j) {
            const char *b = words[j];
            observe(sign(strcmp(a, b)));
            observe(sign(strncmp(a, b, 2)));
            observe(sign(strcasecmp(a, b)));
            observe(sign(strncasecmp(a, b, 2)));
            observe(at(a, strstr(a, b)));
            observe((long long)(strspn(a, b) * 10 + strcspn(a, b)));
            observe(at(a, strpbrk(a, b)));
            memset(room, '#', sizeof room);
            strcpy(room, a);
            strcat(room, b);
            strncat(room, "xyz", 2);
            observe(room[0] + 7 * room[2] + (long long)strlen(room));
            strncpy(room, b, 4);
            observe(room[1] + 5 * room[3] + 3 * room[4]);
            observe(at(room, stpcpy(room, b)));
        }
    }
    memset(&p, 0, sizeof p);
    memset(&q, 0, sizeof q);
    p.i = -2;
    q.i = 254;
    observe(sign(memcmp(&p, &q, sizeof p)));
    q.i = p.i;
    observe(memcmp(&p, &q, sizeof p));
    return 0;
}

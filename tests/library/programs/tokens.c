/* Cutting texts into pieces. */
#define _GNU_SOURCE
#include <string.h>

extern void observe(long long value);

int main(void)
{
    char text[] = ";;get,speed;;12,";
    char other[] = "a b  c";
    char third[] = "k=v;;";
    char *rest = 0, *at = third, *p;

    for (p = strtok(text, ",;"); p != 0; p = strtok(0, ",;"))
        observe((p - text) * 100 + (long long)strlen(p));
    for (p = strtok_r(other, " ", &rest); p != 0; p = strtok_r(0, " ", &rest))
        observe((p - other) * 100 + (long long)strlen(p));
    while ((p = strsep(&at, "=;")) != 0)
        observe((p - third) * 100 + (long long)strlen(p));
    return 0;
}

/* Binary search, by way of a pointer to a function. */
#include <stdlib.h>

extern void observe(long long value);

static int calls;

static int compare(const void *a, const void *b)
{
    ++calls;
    return *(const int *)a - *(const int *)b;
}

int main(void)
{
    int numbers[] = {1, 3, 5, 7, 9, 11, 13};
    int wanted;

    for (wanted = 0; wanted < 15; ++wanted) {
        int *found = bsearch(&wanted, numbers, 7, sizeof numbers[0], compare);
        observe(found == 0 ? -1 : found - numbers);
    }
    observe(bsearch(&wanted, numbers, 0, sizeof numbers[0], compare) == 0);
    observe(calls > 20);
    return 0;
}

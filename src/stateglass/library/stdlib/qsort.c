#include <stdlib.h>
#include <stateglass/intrinsics.h>

/* Moves the element at `from` down to `to`, and those between up by one, in pieces that fit the buffer. */
static void rotate(char *base, size_t size, size_t from, size_t to)
{
    char buffer[64];
    size_t start = 0;

    while (start < size) {
        size_t piece = size - start < sizeof buffer ? size - start : sizeof buffer;
        size_t i;

        __stateglass_copy(buffer, base + from * size + start, piece);
        for (i = from; i > to; --i)
            __stateglass_copy(base + i * size + start, base + (i - 1) * size + start, piece);
        __stateglass_copy(base + to * size + start, buffer, piece);
        start += piece;
    }
}

/* Binary insertion: few comparisons, and equal elements keep their order. */
void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    char *elements = base;
    size_t next;

    for (next = 1; next < count; ++next) {
        size_t low = 0;
        size_t high = next;

        while (low < high) {
            size_t middle = low + (high - low) / 2;

            if (compare(elements + middle * size, elements + next * size) > 0)
                high = middle;
            else
                low = middle + 1;
        }
        if (low < next)
            rotate(elements, size, next, low);
    }
}

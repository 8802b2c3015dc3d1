#include <stdlib.h>

void *reallocarray(void *p, size_t count, size_t size)
{
    if (size != 0 && count > (size_t)-1 / size)
        return NULL;
    return realloc(p, count * size);
}

#include <stdlib.h>
#include <stateglass/intrinsics.h>

void *calloc(size_t count, size_t size)
{
    unsigned char *bytes;
    size_t i;

    if (size != 0 && count > (size_t)-1 / size)
        return NULL;
    bytes = __stateglass_allocate(count * size);
    if (bytes != NULL) {
        for (i = 0; i < count * size; ++i)
            bytes[i] = 0;
    }
    return bytes;
}

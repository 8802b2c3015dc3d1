#include <stdlib.h>
#include <stateglass/intrinsics.h>

void *realloc(void *p, size_t size)
{
    void *other;
    size_t old;

    if (p == NULL)
        return __stateglass_allocate(size);
    if (size == 0) {
        __stateglass_release(p);
        return NULL;
    }
    old = __stateglass_allocated(p);
    other = __stateglass_allocate(size);
    if (other != NULL) {
        __stateglass_copy(other, p, old < size ? old : size);
        __stateglass_release(p);
    }
    return other;
}

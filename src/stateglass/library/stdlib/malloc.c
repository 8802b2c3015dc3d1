#include <stdlib.h>
#include <stateglass/intrinsics.h>

void *malloc(size_t size)
{
    return __stateglass_allocate(size);
}

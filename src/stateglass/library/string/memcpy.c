#include <string.h>
#include <stateglass/intrinsics.h>

void *memcpy(void *__restrict to, const void *__restrict from, size_t n)
{
    __stateglass_copy_apart(to, from, n);
    return to;
}

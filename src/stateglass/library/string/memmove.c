#include <string.h>
#include <stateglass/intrinsics.h>

void *memmove(void *to, const void *from, size_t n)
{
    __stateglass_copy(to, from, n);
    return to;
}

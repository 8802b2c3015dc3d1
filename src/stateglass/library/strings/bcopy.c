#include <strings.h>
#include <stateglass/intrinsics.h>

void bcopy(const void *from, void *to, size_t n)
{
    __stateglass_copy(to, from, n);
}

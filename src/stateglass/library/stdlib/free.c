#include <stdlib.h>
#include <stateglass/intrinsics.h>

void free(void *p)
{
    if (p != NULL)
        __stateglass_release(p);
}

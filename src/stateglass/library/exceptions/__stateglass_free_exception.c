#include <stateglass/exceptions.h>
#include <stateglass/intrinsics.h>

/* What was to be thrown could not be made, because another exception came between. */
void __stateglass_free_exception(void *object)
{
    __stateglass_release((struct __stateglass_exception *)object - 1);
}

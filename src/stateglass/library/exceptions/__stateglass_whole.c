#include <stateglass/exceptions.h>

/* Where the object begins that another one is a part of. */
void *__stateglass_whole(void *object, const struct __stateglass_identity *what)
{
    return (char *)object - what->offset;
}

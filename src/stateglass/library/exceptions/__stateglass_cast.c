#include <stateglass/exceptions.h>

/* The part of an object that is of a class, or null: `dynamic_cast`. */
void *__stateglass_cast(void *object, const struct __stateglass_identity *what, const struct __stateglass_type *wanted)
{
    void *whole = (char *)object - what->offset;
    return __stateglass_is_a(what->type, wanted, &whole) ? whole : 0;
}

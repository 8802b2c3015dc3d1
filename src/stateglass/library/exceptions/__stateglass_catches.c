#include <stateglass/exceptions.h>

/* Whether a handler for a type takes what is thrown; `object` is what its variable refers to. */
int __stateglass_catches(const struct __stateglass_type *wanted, void **object)
{
    struct __stateglass_exception *exception = __stateglass_thrown;
    const struct __stateglass_type *type = exception->type;
    *object = exception + 1;
    if (type->kind == 0)
        return __stateglass_is_a(type, wanted, object);
    if (type == wanted)
        return 1;
    if (type->kind == 3)
        return wanted->kind == 1 || wanted->kind == 2;
    if (wanted->kind != 2 && (wanted->kind != 1 || type->kind != 1))
        return 0;
    /* A pointer is caught as one to what its object is derived from: the handler's variable gets its value. */
    void *pointer = **(void ***)object;
    void *part = pointer;
    if (wanted->count == 0 || __stateglass_is_a(type->bases[0].type, wanted->bases[0].type, &part)) {
        **(void ***)object = pointer ? part : pointer;
        return 1;
    }
    return 0;
}

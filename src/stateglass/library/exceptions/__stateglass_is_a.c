#include <stateglass/exceptions.h>

/* Whether what is of one type can be taken for another one; `object` then leads to the part that is meant. */
int __stateglass_is_a(const struct __stateglass_type *type, const struct __stateglass_type *wanted, void **object)
{
    if (type == wanted)
        return 1;
    for (__INTPTR_TYPE__ i = 0; i < type->count; i++) {
        void *part = (char *)*object + type->bases[i].offset;
        if (__stateglass_is_a(type->bases[i].type, wanted, &part)) {
            *object = part;
            return 1;
        }
    }
    return 0;
}

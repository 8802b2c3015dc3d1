#include <stateglass/exceptions.h>
#include <stateglass/intrinsics.h>

void *__stateglass_new_exception(__SIZE_TYPE__ size, const struct __stateglass_type *type, void (*destroy)(void *))
{
    struct __stateglass_exception *made = __stateglass_allocate(sizeof *made + size);
    made->type = type;
    made->destroy = destroy;
    made->outer = 0;
    made->handlers = 0;
    return made + 1;
}

#include <stateglass/exceptions.h>

void __stateglass_throw(void *object)
{
    __stateglass_thrown = (struct __stateglass_exception *)object - 1;
}

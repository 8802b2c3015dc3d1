#include <stateglass/exceptions.h>
#include <stdlib.h>

void __stateglass_rethrow(void)
{
    if (!__stateglass_caught)
        abort(); /* as `std::terminate` does */
    /* A negative count says that the handlers which are left on the way do not end it. */
    __stateglass_caught->handlers = -__stateglass_caught->handlers;
    __stateglass_thrown = __stateglass_caught;
}

#include <stateglass/exceptions.h>
#include <stateglass/intrinsics.h>

void __stateglass_end_handler(void)
{
    struct __stateglass_exception *exception = __stateglass_caught;
    if (exception->handlers < 0) {
        if (++exception->handlers == 0)
            __stateglass_caught = exception->outer; /* it goes on to another handler */
    } else if (--exception->handlers == 0) {
        __stateglass_caught = exception->outer;
        if (exception->destroy)
            exception->destroy(exception + 1);
        __stateglass_release(exception);
    }
}

#include <stateglass/exceptions.h>

void __stateglass_begin_handler(void)
{
    struct __stateglass_exception *exception = __stateglass_thrown;
    __stateglass_thrown = 0;
    exception->handlers = (exception->handlers < 0 ? -exception->handlers : exception->handlers) + 1;
    if (exception != __stateglass_caught) {
        exception->outer = __stateglass_caught;
        __stateglass_caught = exception;
    }
}

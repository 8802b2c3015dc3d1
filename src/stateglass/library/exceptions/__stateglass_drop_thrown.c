#include <stateglass/exceptions.h>

/* What whoever called from outside does with an exception: catches it and forgets it. */
void __stateglass_drop_thrown(void)
{
    __stateglass_begin_handler();
    __stateglass_end_handler();
}

#include <stateglass/intrinsics.h>

void assume_abort_if_not(int condition);

void assume_abort_if_not(int condition)
{
    __stateglass_assume(condition);
}

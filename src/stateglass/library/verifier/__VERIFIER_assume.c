#include <stateglass/intrinsics.h>

void __VERIFIER_assume(int condition);

void __VERIFIER_assume(int condition)
{
    __stateglass_assume(condition);
}

#include <assert.h>

void __VERIFIER_assert(int condition);

void __VERIFIER_assert(int condition)
{
    if (!condition)
        __assert_fail("condition", __FILE__, __LINE__, "__VERIFIER_assert");
}

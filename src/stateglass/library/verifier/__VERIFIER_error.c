#include <assert.h>

void __VERIFIER_error(void);

void __VERIFIER_error(void)
{
    __assert_fail("0", __FILE__, __LINE__, "__VERIFIER_error");
}

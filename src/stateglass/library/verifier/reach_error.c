#include <assert.h>

void reach_error(void);

void reach_error(void)
{
    __assert_fail("0", __FILE__, __LINE__, "reach_error");
}

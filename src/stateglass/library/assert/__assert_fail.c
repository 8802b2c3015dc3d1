#include <assert.h>

void __assert_fail(const char *assertion, const char *file, unsigned int line, const char *function)
{
    /* By its name it is the end of the program; this body is for those who have its address. */
    __assert_fail(assertion, file, line, function);
}

#include <stateglass/exceptions.h>

struct __stateglass_exception *__stateglass_caught;

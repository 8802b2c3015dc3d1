#include <stateglass/exceptions.h>

void *__stateglass_thrown;

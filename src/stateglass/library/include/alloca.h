/* Memory of the calling function's frame. */
#ifndef STATEGLASS_ALLOCA_H
#define STATEGLASS_ALLOCA_H

#define __need_size_t
#include <stddef.h>

#define alloca(size) __builtin_alloca(size)

#endif

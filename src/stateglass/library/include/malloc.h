/* An older place of what stdlib.h declares. */
#ifndef STATEGLASS_MALLOC_H
#define STATEGLASS_MALLOC_H

#ifdef __cplusplus
extern "C" {
#endif

#include <stdlib.h>

void *memalign(size_t alignment, size_t size);
size_t malloc_usable_size(void *p);

#ifdef __cplusplus
}
#endif

#endif

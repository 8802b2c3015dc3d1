/* A compiler that instruments memory accesses for a race detector tells us of each: that is how inputs get in. */
#include "runtime.h"

#define ACCESS(name) void __tsan_##name(void *address) { (void)address; sg_poll(); }
#define SIZES(kind) ACCESS(kind##1) ACCESS(kind##2) ACCESS(kind##4) ACCESS(kind##8) ACCESS(kind##16)
#define READ(size) void __tsan_volatile_read##size(void *address) { sg_about_to_read(address, size); }
#define UNALIGNED_READ(size) \
    void __tsan_unaligned_volatile_read##size(void *address) { sg_about_to_read(address, size); }

SIZES(read)
SIZES(write)
SIZES(read_write)
SIZES(unaligned_read)
SIZES(unaligned_write)
SIZES(unaligned_read_write)
SIZES(volatile_write)
SIZES(unaligned_volatile_write)
READ(1) READ(2) READ(4) READ(8)
UNALIGNED_READ(2) UNALIGNED_READ(4) UNALIGNED_READ(8)

void __tsan_init(void) {}
void __tsan_func_entry(void *caller) { (void)caller; sg_poll(); }
void __tsan_func_exit(void) { sg_poll(); }
void __tsan_read_range(void *address, unsigned long size) { (void)address, (void)size; sg_poll(); }
void __tsan_write_range(void *address, unsigned long size) { (void)address, (void)size; sg_poll(); }
void *__tsan_memcpy(void *to, const void *from, unsigned long size) { sg_poll(); return __builtin_memcpy(to, from, size); }
void *__tsan_memmove(void *to, const void *from, unsigned long size) { sg_poll(); return __builtin_memmove(to, from, size); }
void *__tsan_memset(void *to, int byte, unsigned long size) { sg_poll(); return __builtin_memset(to, byte, size); }

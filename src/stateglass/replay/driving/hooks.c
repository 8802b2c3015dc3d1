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

/* Accesses that no other thread can see half of; an order of them means nothing where there is one thread. */
#define UPDATE(bits, type, name, builtin) \
    type __tsan_atomic##bits##_##name(volatile type *at, type value, int order) \
    { (void)order; sg_poll(); return builtin(at, value, __ATOMIC_SEQ_CST); }
#define EXCHANGE(bits, type, name) \
    int __tsan_atomic##bits##_compare_exchange_##name(volatile type *at, type *old, type value, int order, int failing) \
    { \
        (void)order, (void)failing; \
        sg_poll(); \
        return __atomic_compare_exchange_n(at, old, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    }
#define ATOMIC(bits, type) \
    type __tsan_atomic##bits##_load(const volatile type *at, int order) \
    { (void)order; sg_poll(); return __atomic_load_n(at, __ATOMIC_SEQ_CST); } \
    void __tsan_atomic##bits##_store(volatile type *at, type value, int order) \
    { (void)order; sg_poll(); __atomic_store_n(at, value, __ATOMIC_SEQ_CST); } \
    UPDATE(bits, type, exchange, __atomic_exchange_n) UPDATE(bits, type, fetch_add, __atomic_fetch_add) \
    UPDATE(bits, type, fetch_sub, __atomic_fetch_sub) UPDATE(bits, type, fetch_and, __atomic_fetch_and) \
    UPDATE(bits, type, fetch_or, __atomic_fetch_or) UPDATE(bits, type, fetch_xor, __atomic_fetch_xor) \
    UPDATE(bits, type, fetch_nand, __atomic_fetch_nand) EXCHANGE(bits, type, strong) EXCHANGE(bits, type, weak)

ATOMIC(8, unsigned char)
ATOMIC(16, unsigned short)
ATOMIC(32, unsigned)
ATOMIC(64, sg_bits)
void __tsan_atomic_thread_fence(int order) { (void)order; }
void __tsan_atomic_signal_fence(int order) { (void)order; }

/* What leads to the virtual functions of an object. */
void __tsan_vptr_update(void **at, void *table) { (void)at, (void)table; sg_poll(); }
void __tsan_vptr_read(void **at) { (void)at; sg_poll(); }

void __tsan_init(void) {}
void __tsan_func_entry(void *caller) { (void)caller; sg_poll(); }
void __tsan_func_exit(void) { sg_poll(); }
void __tsan_read_range(void *address, unsigned long size) { (void)address, (void)size; sg_poll(); }
void __tsan_write_range(void *address, unsigned long size) { (void)address, (void)size; sg_poll(); }
void *__tsan_memcpy(void *to, const void *from, unsigned long size) { sg_poll(); return __builtin_memcpy(to, from, size); }
void *__tsan_memmove(void *to, const void *from, unsigned long size) { sg_poll(); return __builtin_memmove(to, from, size); }
void *__tsan_memset(void *to, int byte, unsigned long size) { sg_poll(); return __builtin_memset(to, byte, size); }

#include <stddef.h>

unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_nondet_memory(void *memory, size_t size);

void __VERIFIER_nondet_memory(void *memory, size_t size)
{
    unsigned char *bytes = memory;
    for (size_t at = 0; at < size; at++)
        bytes[at] = __VERIFIER_nondet_uchar();
}

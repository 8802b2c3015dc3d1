#include <assert.h>

/* Numbers go from one task to another through a ring, without a lock: each of the two counters has one writer. */

#define SLOTS 2
#ifndef ROOM
#define ROOM SLOTS
#endif

struct {
    unsigned char slots[SLOTS];
    unsigned char written, taken; /* counted modulo 2 * SLOTS, so that full and empty are different */
} pipe;

static unsigned char next(unsigned char count) { return (count + 1) % (2 * SLOTS); }

void sender(void)
{
    for (unsigned char number = 0;; number = (number + 1) % 8) {
        while ((pipe.written - pipe.taken + 2 * SLOTS) % (2 * SLOTS) >= ROOM)
            ;
        pipe.slots[pipe.written % SLOTS] = number;
        pipe.written = next(pipe.written);
    }
}

void receiver(void)
{
    for (unsigned char expected = 0;; expected = (expected + 1) % 8) {
        while (pipe.written == pipe.taken)
            ;
        unsigned char got = pipe.slots[pipe.taken % SLOTS];
        pipe.taken = next(pipe.taken);
        assert(got == expected);
    }
}

/* A flash memory is filled record by record, and from its beginning again once it was erased. */
#include <assert.h>

enum { SIZE = 1 << 24, RECORD = 4 };

extern int received(void);
extern void program(unsigned address, int value);

static unsigned at;

static void store(int value)
{
    assert(at + RECORD <= SIZE);
    program(at, value);
    at += RECORD;
}

int main(void)
{
    for (;;) {
        int value = received();

        if (value < 0)
            at = 0;
        else if (at < SIZE)
            store(value);
    }
}

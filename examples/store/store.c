/* The store of store.ccl. */
#include <stdbool.h>

#define MAX 5

static bool ready;
static int data;

void store_init(void)
{
    data = 0;
    ready = true;
}

void store_incr(void)
{
    if (!ready) {
        return;
    }
    if (data < MAX) {
        data++;
    } else {
        data = 0;
    }
}

void store_decr(void)
{
    if (ready && data > 0) {
        data--;
    }
}

/* The store of store.ccl, with a mistake. */
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
        ready = false;
    }
}

void store_decr(void)
{
    if (ready && data > 0) {
        data--;
    }
}

/* A driver that takes requests from a list under a spin lock, and lets go of the lock while it works on one. Other
 * processors add requests meanwhile: the driver begins anew until nothing was added. The lock is taken only when it is
 * free and released only when it is held, and it is free in the end.
 *
 * verdict: holds
 */
#include <assert.h>

int request_is_pending(void);
int status_of_request(void);

static int held;
static unsigned completed, failed;

static void acquire(void)
{
    assert(!held);
    held = 1;
}

static void release(void)
{
    assert(held);
    held = 0;
}

int main(void)
{
    unsigned packets = 0, before;
    do {
        acquire();
        before = packets;
        if (request_is_pending()) {
            release();
            if (status_of_request() < 0)
                failed++;
            else
                completed++;
            packets++;
        }
    } while (packets != before);
    release();
    assert(!held);
    return 0;
}

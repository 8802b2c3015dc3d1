/* The same as request.c, but a request that fails three times in a row is left where it is: the loop ends without the
 * lock, which is released once more.
 *
 * verdict: violated
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
            if (status_of_request() < 0) {
                failed++;
            } else {
                failed = 0;
                completed++;
            }
            if (failed < 3)
                packets++;
        }
    } while (packets != before);
    release();
    return 0;
}

/* The same as client_7.c, but the sum of two times is compared, which wraps around if a step is long enough.
 *
 * verdict: violated
 */
#define CLOCK_MAY_WRAP
#include "client.h"

static void observe(const struct client *c)
{
    static unsigned before;
    if (c->state == BEFORE || c->state == RENEGOTIATE || c->state == CLIENT_HELLO_A)
        before = 0;
    assert(before <= c->elapsed && c->elapsed <= c->patience);
    before = c->elapsed;
}

int main(void)
{
    return run();
}

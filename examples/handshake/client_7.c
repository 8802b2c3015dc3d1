/* Time never runs backwards within a handshake, and it takes no longer than configured, whatever that is.
 *
 * verdict: holds
 */
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

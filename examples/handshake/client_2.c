/* The key is sent only after the server has sent one of its own. With some ciphers it does not, so that this is wrong.
 *
 * verdict: violated
 */
#include "client.h"

static void observe(const struct client *c)
{
    if (c->state == CLIENT_KEY_A || c->state == CLIENT_KEY_B)
        assert(c->flags & SERVER_KEY);
}

int main(void)
{
    return run();
}

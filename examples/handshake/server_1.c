/* The server ends a new session only after the client has: FINISHED is never sent before the client's was read, unless
 * the session is an old one.
 *
 * verdict: holds
 */
#include "server.h"

static void observe(const struct server *s)
{
    static int waited_for_client;
    if (s->state == BEFORE)
        waited_for_client = 0;
    else if (s->state == CLIENT_FINISHED_A)
        waited_for_client = 1;
    else if (s->state == FINISHED_A || s->state == FINISHED_B)
        assert(waited_for_client || s->resumed);
}

int main(void)
{
    return run();
}

/* The same as server_3.c, but that the client has shown a certificate is not forgotten when a new handshake begins: the
 * second one waits for a proof that nobody was asked for.
 *
 * verdict: violated
 */
#define CERTIFICATE_REMEMBERED
#include "server.h"

static void observe(const struct server *s)
{
    if (s->state == CERTIFICATE_VERIFY_B)
        assert(s->asked);
}

int main(void)
{
    return run();
}

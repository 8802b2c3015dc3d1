/* Nobody waits for the proof that a certificate is the client's if none was asked for in this handshake.
 *
 * verdict: holds
 */
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

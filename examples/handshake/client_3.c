/* Nobody proves that a certificate is his own without having sent one in this handshake.
 *
 * verdict: holds
 */
#include "client.h"

static void observe(const struct client *c)
{
    static int certificate_sent;
    if (c->state == BEFORE || c->state == RENEGOTIATE)
        certificate_sent = 0;
    else if (c->state == CLIENT_CERTIFICATE_C || c->state == CLIENT_CERTIFICATE_D)
        certificate_sent = 1;
    else if (c->state == CERTIFICATE_VERIFY_A || c->state == CERTIFICATE_VERIFY_B)
        assert(certificate_sent);
}

int main(void)
{
    return run();
}

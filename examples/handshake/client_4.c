/* The same as client_3.c, but the flag of a certificate that was sent has a bit in common with another one: it seems to
 * be set when a certificate is wanted.
 *
 * verdict: violated
 */
#define FLAGS_OVERLAP
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

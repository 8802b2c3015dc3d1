/* The same as server_5.c, but a message that is taken at a second try gets no new number.
 *
 * verdict: violated
 */
#define NUMBER_LOST_WHEN_BUSY
#include "server.h"

static void observe(const struct server *s)
{
    assert(s->sequence == s->sent);
}

int main(void)
{
    return run();
}

/* Messages are numbered without gaps: as many numbers are used up as messages were taken, however many there are.
 *
 * verdict: holds
 */
#include "server.h"

static void observe(const struct server *s)
{
    assert(s->sequence == s->sent);
}

int main(void)
{
    return run();
}

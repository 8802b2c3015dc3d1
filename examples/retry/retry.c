/* Sends packets over a link that may fail: each again and again, until it got through or five tries were made. */
#include <assert.h>

enum { MOST_TRIES = 5 };

extern int more_to_send(void);
extern int transmit(unsigned packet); /* 0: it got through */

int main(void)
{
    unsigned packet = 0, sent = 0, lost = 0;

    while (more_to_send()) {
        int tries = 0, failed = 1;

        while (failed && tries < MOST_TRIES) {
            failed = transmit(packet);
            tries++;
        }
        assert(tries >= 1);
        if (failed)
            lost++;
        else
            sent++;
        packet++;
        assert(sent + lost == packet);
    }
    return 0;
}

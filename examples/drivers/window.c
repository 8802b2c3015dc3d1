/* A queue of at most five messages that wait for an acknowledgement. Their sequence numbers only ever grow and wrap
 * around; an acknowledgement confirms all messages before it, if it fits what was sent. The numbers of the first and
 * the next message are as far apart as there are messages in the queue.
 *
 * verdict: holds
 */
#include <assert.h>

#define MOST 5u

int event(void);
unsigned short acknowledged(void);

int main(void)
{
    unsigned short first = 0, next = 0;
    unsigned count = 0, sent_again = 0;
    for (;;) {
        int what = event();
        assert(count <= MOST);
        assert((unsigned short)(next - first) == count);
        if (what == 0)
            return 0;
        if (what == 1) {
            if (count < MOST) {
                next++;
                count++;
            }
        } else if (what == 2) {
            unsigned confirmed = (unsigned short)(acknowledged() - first);
            if (confirmed <= count) {
                first = (unsigned short)(first + confirmed);
                count -= confirmed;
            }
        } else {
            sent_again += count;
        }
    }
}

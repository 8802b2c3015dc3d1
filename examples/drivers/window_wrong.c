/* The same as window.c, but whether an acknowledgement fits is asked by comparing numbers, not distances: while the
 * numbers wrap around, anything is taken for one that fits. They begin where the peer wants them to.
 *
 * verdict: violated
 */
#include <assert.h>

#define MOST 5u

int event(void);
unsigned short acknowledged(void);
unsigned short first_number(void);

int main(void)
{
    unsigned short first = first_number(), next = first;
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
            unsigned short number = acknowledged();
            if (next < first || (number >= first && number <= next)) {
                count -= (unsigned short)(number - first);
                first = number;
            }
        } else {
            sent_again += count;
        }
    }
}

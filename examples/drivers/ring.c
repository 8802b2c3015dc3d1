/* A ring buffer of eight places. Its two indices only ever grow, and wrap around after four thousand million bytes;
 * what lies between them is the content. It never has more than eight bytes, and only a full one refuses to take one.
 *
 * verdict: holds
 */
#include <assert.h>

#define PLACES 8u

int next_command(void);
unsigned char next_byte(void);
void deliver(unsigned char byte);

static unsigned char buffer[PLACES];
static unsigned written, taken;

static int put(unsigned char byte)
{
    if (written - taken == PLACES)
        return 0;
    buffer[written % PLACES] = byte;
    written++;
    return 1;
}

static int get(unsigned char *byte)
{
    if (written == taken)
        return 0;
    *byte = buffer[taken % PLACES];
    taken++;
    return 1;
}

int main(void)
{
    for (;;) {
        unsigned char byte;
        int command = next_command();
        assert(written - taken <= PLACES);
        if (command == 0)
            return 0;
        if (command > 0) {
            if (!put(next_byte()))
                assert(written - taken == PLACES);
        } else if (get(&byte)) {
            deliver(byte);
        }
    }
}

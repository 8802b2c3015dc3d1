/* A ring buffer of six places whose indices go back to the beginning at the end. One place stays free, so that a full
 * buffer is not taken for an empty one; but when urgent bytes are put in, two at a time, only one place is looked for.
 * The number of bytes is counted beside, and the count no longer fits the indices.
 *
 * verdict: violated
 */
#include <assert.h>

#define PLACES 6

int next_command(void);
unsigned char next_byte(void);
void deliver(unsigned char byte);

static unsigned char buffer[PLACES];
static int first, free_place, count;

static int next(int place)
{
    return place == PLACES - 1 ? 0 : place + 1;
}

static void put(unsigned char byte)
{
    buffer[free_place] = byte;
    free_place = next(free_place);
    count++;
}

int main(void)
{
    for (;;) {
        int command = next_command();
        int between = free_place - first;
        assert(count == (between < 0 ? between + PLACES : between));
        if (command == 0)
            return 0;
        if (command == 2 && next(free_place) != first) {
            put(0xff);
            put(next_byte());
        } else if (command > 0 && next(free_place) != first) {
            put(next_byte());
        } else if (command < 0 && first != free_place) {
            deliver(buffer[first]);
            first = next(first);
            count--;
        }
    }
}

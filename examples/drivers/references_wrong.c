/* The same as references.c, but users are counted in four bits of a register: after sixteen of them nobody seems to be
 * there.
 *
 * verdict: violated
 */
#include <assert.h>

int event(void);

static struct {
    unsigned on : 1;
    unsigned users : 4;
} device;
static unsigned opened, closed;

static void open_device(void)
{
    if (device.users++ == 0)
        device.on = 1;
    opened++;
}

static void close_device(void)
{
    if (device.users > 0) {
        closed++;
        if (--device.users == 0)
            device.on = 0;
    }
}

int main(void)
{
    for (;;) {
        assert(device.users > 0 || opened == closed);
        switch (event()) {
        case 0:
            return 0;
        case 1:
            open_device();
            break;
        case 2:
            close_device();
            break;
        }
    }
}

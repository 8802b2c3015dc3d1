/* The same as references.c, but users are counted in a byte: after 256 of them nobody seems to be there.
 *
 * verdict: violated
 */
#include <assert.h>

int event(void);

static unsigned char users;
static unsigned opened, closed;
static int on;

static void open_device(void)
{
    if (users++ == 0)
        on = 1;
    opened++;
}

static void close_device(void)
{
    if (users > 0) {
        closed++;
        if (--users == 0)
            on = 0;
    }
}

int main(void)
{
    for (;;) {
        assert(users > 0 || opened == closed);
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

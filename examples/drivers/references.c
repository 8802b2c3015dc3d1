/* A device is switched on for its first user and off after the last one; users come and go, in any number, and may stop
 * it from sleeping meanwhile. It is on whenever somebody uses it, and off if nobody does.
 *
 * verdict: holds
 */
#include <assert.h>
#include <limits.h>

int event(void);

static unsigned users, awake;
static int on;

static int open_device(void)
{
    if (users == UINT_MAX)
        return -1;
    if (users++ == 0)
        on = 1;
    return 0;
}

static void close_device(void)
{
    if (users > 0 && --users == 0) {
        on = 0;
        awake = 0;
    }
}

int main(void)
{
    for (;;) {
        assert(on == (users > 0));
        assert(awake <= users);
        switch (event()) {
        case 0:
            return 0;
        case 1:
            open_device();
            break;
        case 2:
            if (awake == users)
                awake -= awake > 0;
            close_device();
            break;
        case 3:
            if (awake < users)
                awake++;
            break;
        }
    }
}

/* A washing machine whose state is spread over flags. One of them is set at any time, which no line says. */
#include <stdbool.h>

static bool idle = true, filling, washing, draining, spinning;
static int level;
static int minutes;

void washer_tick(bool start, bool door_closed, int water)
{
    level = water < 0 ? 0 : water;
    if (minutes > 0)
        minutes--;

    if (idle && start && door_closed) {
        idle = false;
        filling = true;
    } else if (filling && level >= 40) {
        filling = false;
        washing = true;
        minutes = 30;
    } else if (filling && !door_closed) {
        filling = false;
        draining = true;
    } else if (washing && minutes == 0) {
        washing = false;
        draining = true;
    } else if (draining && level == 0) {
        draining = false;
        if (door_closed) {
            spinning = true;
            minutes = 5;
        } else {
            idle = true;
        }
    } else if (spinning && (minutes == 0 || !door_closed)) {
        spinning = false;
        idle = true;
    }
}

/* An elevator between two floors: calls are remembered, the cabin moves with its door closed only. */

#include <stdbool.h>

enum floor { GROUND, UPPER };
enum motion { STANDING, MOVING, DOOR_OPEN };

static enum floor floor;
static enum motion motion;
static bool called[2];

static enum floor other(enum floor here)
{
    return here == GROUND ? UPPER : GROUND;
}

void call_button(enum floor where)
{
    if (motion == DOOR_OPEN && where == floor)
        return;
    called[where] = true;
}

void tick(void)
{
    switch (motion) {
    case MOVING:
        floor = other(floor);
        motion = STANDING;
        break;
    case DOOR_OPEN:
        motion = STANDING;
        break;
    case STANDING:
        if (called[floor]) {
            called[floor] = false;
            motion = DOOR_OPEN;
        } else if (called[other(floor)]) {
            motion = MOVING;
        }
        break;
    }
}

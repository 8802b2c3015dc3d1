/* A thermostat with hysteresis: the heater goes on below the lower limit and off above the upper one. */

#include <stdbool.h>
#include <stdint.h>

#define LOWER 19
#define UPPER 21

extern volatile int8_t sensor;       /* degrees, a register of the hardware */

static bool heating;
static uint8_t minutes;              /* how long the heater has been in its present state, up to MOST */

#define MOST 2

void every_minute(void)
{
    int8_t now = sensor;
    bool wanted = heating;

    if (now < LOWER)
        wanted = true;
    else if (now > UPPER)
        wanted = false;

    /* Switching is hard on the relay: not before it has rested. */
    if (wanted != heating && minutes >= MOST) {
        heating = wanted;
        minutes = 0;
    } else if (minutes < MOST) {
        minutes++;
    }
}

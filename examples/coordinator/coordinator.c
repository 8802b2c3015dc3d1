/* Coordinates a heater. What comes first when several things happen at once is in the order of the tests. */
#include <stdbool.h>
#include <stdint.h>

enum { IDLE, PREHEATING, RUNNING, COOLING, LOCKED };

static int phase;
static uint8_t ticks;
bool burner, pump;

void coordinate_100ms(bool request, bool fault, bool reset, int16_t degrees)
{
    switch (phase) {
    case IDLE:
        if (fault) {
            phase = LOCKED;
        } else if (request) {
            phase = PREHEATING;
            ticks = 50;
        }
        break;
    case PREHEATING:
        if (fault)
            phase = LOCKED;
        else if (!request)
            phase = COOLING;
        else if (ticks > 0)
            ticks--;
        else
            phase = RUNNING;
        break;
    case RUNNING:
        if (fault)
            phase = LOCKED;
        else if (!request || degrees > 95)
            phase = COOLING;
        break;
    case COOLING:
        if (degrees < 30)
            phase = IDLE;
        break;
    case LOCKED:
        if (reset)
            phase = IDLE;
        break;
    }
    burner = phase == PREHEATING || phase == RUNNING;
    pump = burner || phase == COOLING;
}

/*
 * Searches a signal for a pattern of pulses. Three of the ten states run a machine of their own, `substate`; most
 * others leave it at rest. Of the 50 combinations, 22 can occur.
 */
#include <stdbool.h>
#include <stdint.h>

enum state { OFF, INITIAL, WAIT, SEARCH, ALIGN, VERIFY, LOCKED, LOST, BLOCKED, SERVICE };
enum substate { REST, RISING, HIGH, FALLING, LOW };

static enum state state;
static enum substate substate;
static uint8_t misses;
static int last;

/* One step through a pulse; true when a whole pulse has gone by. */
static bool follow(int level)
{
    switch (substate) {
    case REST:
        if (level > last)
            substate = RISING;
        break;
    case RISING:
        if (level <= last)
            substate = HIGH;
        break;
    case HIGH:
        if (level < last)
            substate = FALLING;
        break;
    case FALLING:
        if (level >= last)
            substate = LOW;
        break;
    case LOW:
        substate = REST;
        return true;
    }
    return false;
}

void search_step(bool enable, int level, bool match)
{
    bool pulse;

    if (!enable && state != BLOCKED) {
        state = OFF;
        substate = REST;
        misses = 0;
        return;
    }
    switch (state) {
    case OFF:
        state = INITIAL;
        break;
    case INITIAL:
        state = level > 100 ? SEARCH : WAIT;
        break;
    case WAIT:
        if (level > 100)
            state = INITIAL;
        break;
    case SEARCH:
        pulse = follow(level);
        if (pulse)
            state = match ? ALIGN : SEARCH;
        break;
    case ALIGN:
        /* The first pulse after the match is cut short. */
        if (substate == REST && level > last) {
            substate = RISING;
        } else if (substate == RISING) {
            substate = REST;
            state = VERIFY;
        }
        break;
    case VERIFY:
        pulse = follow(level);
        if (pulse && match)
            state = LOCKED;
        else if (pulse)
            state = LOST;
        break;
    case LOCKED:
        pulse = follow(level);
        if (pulse && !match && ++misses > 3)
            state = LOST;
        break;
    case LOST:
        misses = 0;
        state = match ? SEARCH : BLOCKED;
        break;
    case BLOCKED:
        if (!enable && !match)
            state = OFF;
        break;
    case SERVICE:
        state = OFF;
        break;
    }
    last = level;
}

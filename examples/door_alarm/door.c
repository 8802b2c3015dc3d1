/*
 * Watches a door: about 80 lines, six variables that may be its state. With respect to two of them, `locked` and
 * `alarm`, it has four states and eleven transitions, more than most people find by reading.
 */
#include <stdbool.h>
#include <stdint.h>

static bool locked;
static bool alarm;
static uint8_t tries;
static int16_t delay;
static bool key_before;
static int battery = 12000;

int siren_level;
bool lamp;

void door_10ms(bool key, bool open, int16_t code, int16_t voltage)
{
    bool pressed = key && !key_before;
    bool weak = false;

    /* The supply is smoothed; a weak battery keeps the bolt where it is. */
    if (voltage < 0)
        voltage = 0;
    if (battery < 0 || battery > 32000)
        battery = voltage;
    battery = (battery / 8) * 7 + voltage / 8;
    if (battery < 9000)
        weak = true;

    if (delay > 0)
        delay--;

    if (pressed && delay == 0) {
        if (code == 4711) {
            tries = 0;
            if (alarm) {
                /* The right code ends an alarm, and leaves the door locked. */
                alarm = false;
                locked = true;
            } else if (!weak) {
                locked = !locked;
            }
            delay = 20;
        } else {
            if (tries < 3)
                tries++;
            if (tries >= 3) {
                alarm = true;
                delay = 500;
            } else {
                delay = 50;
            }
        }
    } else if (locked && open) {
        /* Forced open: with too little current for the siren, the bolt at least gives way. */
        if (weak)
            locked = false;
        else
            alarm = true;
    } else if (!locked && !open && !alarm && !weak && delay < 0) {
        /* An unlocked door that stays shut locks itself. */
        locked = true;
    }

    if (alarm) {
        siren_level = weak ? 40 : 100;
        lamp = delay % 2 != 0;
    } else {
        siren_level = 0;
        lamp = !locked;
    }

    key_before = key;
}

/*
 * Watches a sensor: errors are counted up, good samples count down, and at the maximum the sensor is given up.
 * A burst counts twice, so the counter can get past the maximum. Nothing brings it back from there.
 */
#include <stdbool.h>
#include <stdint.h>

enum mode { OFF, STARTING, WATCHING, FAILED };

static enum mode mode;
static int cnt;
static uint8_t max = 20;
static uint8_t warm_up;
static bool limp_home;
static int filtered;

void set_maximum(uint8_t limit)
{
    if (mode == OFF)
        max = limit;
}

void monitor_10ms(bool ignition, int sample, bool burst)
{
    bool bad = false;

    if (!ignition) {
        mode = OFF;
        warm_up = 0;
    }
    switch (mode) {
    case OFF:
        if (ignition) {
            mode = STARTING;
            warm_up = 10;
        }
        break;
    case STARTING:
        if (warm_up > 0)
            warm_up--;
        else
            mode = WATCHING;
        break;
    case WATCHING:
        bad = sample < 40 || sample > 980;
        if (bad) {
            if (cnt < max)
                cnt += burst ? 2 : 1;
        } else if (cnt > 0 && cnt <= max) {
            cnt--;
        }
        if (cnt == max && max > 0) {
            mode = FAILED;
            limp_home = true;
        }
        break;
    case FAILED:
        if (sample == 512 && cnt == max) {
            cnt = 0;
            mode = STARTING;
            warm_up = 10;
        }
        break;
    }
    if (cnt < 0)
        cnt = 0;
    if (mode == WATCHING && !bad && sample >= 0 && sample < 1024)
        filtered = (filtered / 4) * 3 + sample / 4;
    if (limp_home && mode == OFF)
        limp_home = false;
}

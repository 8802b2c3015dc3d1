/* A push button that bounces: an interrupt notes every edge, and a poll function decides when it means something. */

#include <stdbool.h>

#define QUIET_POLLS 2

enum level { RELEASED, PRESSED };

static volatile bool edge;           /* set by the interrupt, taken by the poll */
static unsigned char quiet;          /* polls since the last edge */
static enum level debounced;

enum level button_pin(void);         /* the port, not part of this file */
void button_event(enum level level); /* told to the application */

void isr(void)
{
    edge = true;
}

void poll(void)
{
    enum level now;

    if (edge) {
        edge = false;
        quiet = 0;
        return;
    }
    if (quiet < QUIET_POLLS) {
        quiet++;
        return;
    }
    now = button_pin();
    if (now != debounced) {
        debounced = now;
        quiet = 0;
        button_event(now);
    }
}

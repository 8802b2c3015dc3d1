/* A lamp that is brought up and down in steps by a timer; a button turns it off, and on again. */
#include <board.h>

#define TOP 2
#define PRESSED 1

enum { UP, DOWN };

static unsigned char level;
static unsigned char direction;
static unsigned char off;

INTERRUPT(TIMER_OVERFLOW)
{
    switch (direction) {
    case UP:
        if (++level == TOP)
            direction = DOWN;
        break;
    case DOWN:
        if (--level == 0)
            direction = UP;
        break;
    }
    COMPARE = off ? 0 : level;
}

void setup(void)
{
    COMPARE = 0;
    TIMER |= 5;
    enable_interrupts();
}

void poll(void)
{
    if (BUTTONS & PRESSED) {
        off = !off;
        direction = UP;
    }
}

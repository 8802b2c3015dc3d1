/*
 * charger.c: the control of a charging post for electric cars.
 *
 * The firmware around it calls charger_event() whenever something happens at the post. A car is plugged in, a valid
 * card starts and ends the charging, and the plug is held in its socket as long as current may flow. When the post gets
 * too hot it switches off; a card resets it. The last faults are noted for the service.
 */

#include <stdbool.h>

enum state {
    FREE,     /* no car */
    PLUGGED,  /* a car, no current */
    CHARGING, /* current flows */
    FAULT     /* switched off by itself */
};

enum event {
    PLUG,     /* a car is plugged in */
    UNPLUG,   /* somebody pulls the plug */
    CARD,     /* a valid card is shown */
    OVERHEAT  /* the post is too hot */
};

#define NOTED 2

static enum state state;
static bool held;                      /* the plug is held in its socket */
static enum state noted[NOTED];        /* what the post was doing at each fault */
static unsigned char faults;

/* The driver of the contactor, the big switch between the grid and the car. */
void contactor(bool closed);

static void hold(bool on)
{
    held = on;
}

static void start(void)
{
    hold(true);
    contactor(true);
    state = CHARGING;
}

static void stop(void)
{
    contactor(false);
    hold(false);
    state = PLUGGED;
}

static void note_fault(void)
{
    noted[faults] = state;
    faults++;
}

void charger_init(void)
{
    state = FREE;
    hold(false);
    faults = 0;
}

void charger_event(enum event event)
{
    switch (state) {
    case FREE:
        if (event == PLUG)
            state = PLUGGED;
        break;

    case PLUGGED:
        if (event == UNPLUG)
            state = FREE;
        else if (event == CARD)
            start();
        break;

    case CHARGING:
        if (event == CARD) {
            stop();
        } else if (event == OVERHEAT) {
            note_fault();
            contactor(false);
            state = FAULT;
        }
        break;

    case FAULT:
        if (event == CARD) {
            hold(false);
            state = PLUGGED;
        }
        break;
    }
}

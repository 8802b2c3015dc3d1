/*
 * mended.c: charger.c, after somebody mended it.
 *
 * The firmware calls charger() whenever something happens at the post. A car
 * is plugged in, a valid card starts and ends the charging, and current flows
 * only through a plug that is held in its socket. A post that gets too hot
 * switches itself off; a card brings it back. What it was doing when that
 * happened is noted for the service.
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
static bool held;               /* the plug is held in its socket */
static bool current;            /* the grid is connected to the car */
static enum state noted[NOTED]; /* what the post was doing at each fault */
static unsigned char faults;

/* Sends a message to the service; part of the radio's firmware. */
void call_service(void);

static void start(void)
{
    held = true;
    current = true;
    state = CHARGING;
}

static void stop(void)
{
    current = false;
    held = false;
    state = PLUGGED;
}

static void fail(void)
{
    held = false; /* whoever owns the car can take it away */
    current = false;
    if (faults < NOTED)
        noted[faults++] = state;
    state = FAULT;
    call_service();
}

static void recover(void)
{
    held = false;
    state = PLUGGED;
}

void charger_init(void)
{
    state = FREE;
    held = false;
    current = false;
    faults = 0;
}

void charger(enum event event)
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
        if (event == CARD)
            stop();
        else if (event == OVERHEAT)
            fail();
        break;

    case FAULT:
        if (event == CARD)
            recover();
        break;
    }
}

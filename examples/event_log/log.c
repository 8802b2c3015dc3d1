/* A log of the latest events, and a mistake in it: can you see it before the model shows it? */

#define ENTRIES 3

enum event { START, STOP };

static enum event entries[ENTRIES];
static unsigned used;

void log_event(enum event event)
{
    if (used > ENTRIES)
        used = 0;                    /* full: begin anew */
    entries[used++] = event;
}

void log_clear(void)
{
    used = 0;
}

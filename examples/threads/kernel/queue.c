/* A queue of messages in the style of a small kernel: its state is only touched in a critical section. */
enum { ROOM = 2, OK = 0, FULL = 1, EMPTY = 2 };

extern void enter_critical(int task); /* events: one task at a time is between the two */
extern void exit_critical(int task);
extern int work(void); /* any value */

int entries; /* how many messages wait; both tasks use it */

static int post(int task)
{
    enter_critical(task);
    if (entries >= ROOM) {
#ifdef FIXED
        exit_critical(task);
#endif
        return FULL; /* the mistake: the critical section is not left */
    }
    entries++;
    exit_critical(task);
    return OK;
}

static int pend(int task)
{
    enter_critical(task);
    if (entries == 0) {
        exit_critical(task);
        return EMPTY;
    }
    entries--;
    exit_critical(task);
    return OK;
}

void sender(int task)
{
    unsigned lost = 0;

    for (;;) {
        if (work() > 0 && post(task) == FULL)
            lost++;
    }
}

void receiver(int task)
{
    unsigned received = 0;

    for (;;) {
        if (pend(task) == OK)
            received++;
    }
}

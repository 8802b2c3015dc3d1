/* Peterson's mutual exclusion: two tasks count what they have done, one at a time, in variables that both of them see. */
#include <assert.h>

static int first_wants, second_wants, turn;
static unsigned done; /* it grows for ever */

static void work(void)
{
    unsigned before = done;

    done = before + 1;
    assert(done == before + 1); /* nobody else has counted in between */
}

void first(void)
{
    for (;;) {
#ifndef LATE
        first_wants = 1;
#endif
        turn = 2;
        while (second_wants && turn == 2)
            ;
#ifdef LATE
        first_wants = 1; /* the mistake: whoever looks before that sees nobody */
#endif
        work();
        first_wants = 0;
    }
}

void second(void)
{
    for (;;) {
#ifndef LATE
        second_wants = 1;
#endif
        turn = 1;
        while (first_wants && turn == 1)
            ;
#ifdef LATE
        second_wants = 1;
#endif
        work();
        second_wants = 0;
    }
}

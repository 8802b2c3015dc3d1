/* A door lock with a keypad: two digits open it, three wrong codes block it until the key is turned. */

#include <stdbool.h>

#define DIGITS   2
#define ATTEMPTS 3

enum lock { LOCKED, OPEN, BLOCKED };

static const unsigned char code[DIGITS] = {1, 2};

static enum lock lock;
static unsigned char position;       /* how many digits were typed */
static bool wrong;                   /* whether one of them was wrong */
static unsigned char failures;

static void decide(void)
{
    if (!wrong) {
        lock = OPEN;
        failures = 0;
    } else if (++failures == ATTEMPTS) {
        lock = BLOCKED;
    }
    position = 0;
    wrong = false;
}

void digit(unsigned char key)
{
    if (lock != LOCKED)
        return;
    /* Every digit is taken before the answer: where the mistake was stays a secret. */
    wrong |= key != code[position];
    if (++position == DIGITS)
        decide();
}

void close_door(void)
{
    if (lock == OPEN)
        lock = LOCKED;
}

void turn_key(void)
{
    lock = LOCKED;
    failures = 0;
    position = 0;
    wrong = false;
}

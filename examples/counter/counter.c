/* A counter that stays within its limits, and says when it could not count. */

#include <stdbool.h>

#define LOW  -2
#define HIGH 2

static int count;

bool up(void)
{
    if (count == HIGH)
        return false;
    count++;
    return true;
}

bool down(void)
{
    if (count == LOW)
        return false;
    count--;
    return true;
}

void reset(void)
{
    count = 0;
}

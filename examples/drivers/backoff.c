/* Tries again and again, and waits twice as long each time, up to a limit: the pause is never longer than that, and
 * never zero.
 *
 * verdict: holds
 */
#include <assert.h>

int attempt(void);
void wait_for(unsigned milliseconds);
unsigned configured_limit(void);

int main(void)
{
    unsigned limit = configured_limit(), pause = 1;
    unsigned long long waited = 0;
    if (limit == 0)
        return 1;
    while (!attempt()) {
        assert(pause > 0 && pause <= limit);
        wait_for(pause);
        waited += pause;
        if (pause > limit / 2)
            pause = limit;
        else
            pause = 2 * pause;
    }
    return 0;
}

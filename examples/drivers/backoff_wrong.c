/* The same as backoff.c, but the pause is doubled before it is compared with the limit: if that is large, the pause
 * becomes zero after 32 attempts.
 *
 * verdict: violated
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
        pause = 2 * pause;
        if (pause > limit)
            pause = limit;
    }
    return 0;
}

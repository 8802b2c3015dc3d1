#include <errno.h>
#include <signal.h>

int sigismember(const sigset_t *set, int number)
{
    if (number < 1 || number > 64) {
        errno = EINVAL;
        return -1;
    }
    return (set->bits >> (number - 1) & 1) != 0;
}

#include <errno.h>
#include <signal.h>

int sigdelset(sigset_t *set, int number)
{
    if (number < 1 || number > 64) {
        errno = EINVAL;
        return -1;
    }
    set->bits &= ~(1ULL << (number - 1));
    return 0;
}

#include <signal.h>

int sigemptyset(sigset_t *set)
{
    set->bits = 0;
    return 0;
}

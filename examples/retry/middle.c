#include <assert.h>

int middle(int low, int high)
{
    if (low < 0 || low > high)
        return -1;
    int found = (low + high) / 2;
    assert(low <= found && found <= high);
    return found;
}

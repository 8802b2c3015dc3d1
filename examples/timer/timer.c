/* A countdown, called every 20 milliseconds: the two states of the lamp are nowhere written down as such. */
#include <stdbool.h>

int t;
bool lamp;

void process_20ms(void)
{
    if (t > 0) {
        lamp = true;
        t--;
    } else {
        lamp = false;
    }
}

/* Sends packets over a link that may fail; at most eight are under way, and what is not confirmed is sent again. */
#include <assert.h>

enum { WINDOW = 8 };

extern int link_is_up(void);
extern int confirmed(unsigned packet);

int main(void)
{
    unsigned packet = 0;
    int room = WINDOW, under_way = 0;

    while (link_is_up()) {
        if (room > 0) {
            room--;
            under_way++;
            packet++;
        }
        if (under_way > 0 && confirmed(packet)) {
            under_way--;
            room++;
        }
    }
    assert(room + under_way == WINDOW);
    return 0;
}

/* The shelf of shelf.ccl. */
#define ROOM 2

enum state { OPEN, CLOSED };

void on_full(int count);
void on_free(void);

static enum state state = OPEN;
static unsigned char count;

void shelf_put(int size)
{
    if (state != OPEN || size > 1) {
        return;
    }
    count++;
    if (count >= ROOM) {
        state = CLOSED;
        on_full(count);
    }
}

void shelf_take(void)
{
    if (state == CLOSED) {
        count--;
        state = OPEN;
        on_free();
    } else if (count > 0) {
        count--;
    }
}

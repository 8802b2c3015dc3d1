/* The sender of a sliding-window protocol. */
#include <string.h>
#include "window.h"

void (*send)(const struct header *header, const unsigned char *bytes);
int (*receive)(struct header *header);

static unsigned char ring[NUMBERS][BYTES];
static unsigned next;      /* how many packets were sent */
static unsigned waiting;   /* how many of them are not acknowledged */

static void emit(enum packet kind, unsigned number)
{
    struct header header;

    header.kind = kind;
    header.number = number % NUMBERS;
    header.first = (next - waiting) % NUMBERS;
    send(&header, ring[number % NUMBERS]);
}

static void await_reply(void)
{
    struct header header;
    unsigned place;

    if (!receive(&header)) {
        emit(ENQUIRY, next);
        return;
    }
    for (place = 0; place < waiting; place++)
        if (header.number == (next - waiting + place) % NUMBERS)
            break;
    if (place == waiting)
        return;
    switch (header.kind) {
    case ACK:
        waiting -= place + 1;
        break;
    case NAK:
        emit(AGAIN, header.number);
        break;
    default:
        break;
    }
}

void send_data(const unsigned char *bytes)
{
    while (waiting == WINDOW)
        await_reply();
    memcpy(ring[next % NUMBERS], bytes, BYTES);
    emit(DATA, next);
    next++;
    waiting++;
}

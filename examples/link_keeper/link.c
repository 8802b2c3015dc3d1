#include "link.h"

static void timer_start(struct timer *timer, uint8_t seconds)
{
    timer->running = true;
    timer->left = seconds;
}

static void timer_stop(struct timer *timer)
{
    timer->running = false;
    timer->left = 0;
}

/* A second has passed: has the timer run out? */
static bool timer_second(struct timer *timer)
{
    if (!timer->running || --timer->left > 0)
        return false;
    timer->running = false;
    return true;
}

static void enter_down(struct link *link)
{
    link->state = DOWN;
    link->missed = 0;
    timer_stop(&link->timer);
}

static void enter_up(struct link *link)
{
    link->state = UP;
    link->missed = 0;
    timer_start(&link->timer, SECONDS_TO_PING);
}

void link_init(struct link *link)
{
    link->retries = 0;
    enter_down(link);
}

void link_open(struct link *link)
{
    if (link->state != DOWN)
        return;
    link->state = OPENING;
    link->retries = MOST_RETRIES;
    timer_start(&link->timer, SECONDS_TO_ANSWER);
    wire_send(HELLO);
}

void link_close(struct link *link)
{
    switch (link->state) {
    case OPENING:
        enter_down(link);
        break;
    case UP:
        link->state = CLOSING;
        link->missed = 0;
        timer_start(&link->timer, SECONDS_TO_ANSWER);
        wire_send(BYE);
        break;
    case DOWN:
    case CLOSING:
        break;
    }
}

void link_input(struct link *link, enum packet packet)
{
    switch (packet) {
    case HELLO: /* the peer opens the link, perhaps at the same time as we do */
        if (link->state == CLOSING)
            break;
        wire_send(HELLO_ACK);
        if (link->state != UP)
            enter_up(link);
        break;
    case HELLO_ACK:
        if (link->state == OPENING)
            enter_up(link);
        break;
    case PING:
        if (link->state == UP)
            wire_send(PONG);
        break;
    case PONG:
        link->missed = 0;
        break;
    case BYE:
        wire_send(BYE_ACK);
        enter_down(link);
        break;
    case BYE_ACK:
        if (link->state == CLOSING)
            enter_down(link);
        break;
    }
}

/* No answer came in time: send the packet again, or give up. */
static void retransmit(struct link *link)
{
    if (--link->retries == 0) {
        enter_down(link);
        return;
    }
    timer_start(&link->timer, SECONDS_TO_ANSWER);
    wire_send(link->state == OPENING ? HELLO : BYE);
}

static void keep_alive(struct link *link)
{
    if (link->missed == MOST_MISSED) {
        enter_down(link);
        return;
    }
    link->missed++;
    timer_start(&link->timer, SECONDS_TO_PING);
    wire_send(PING);
}

void link_second(struct link *link)
{
    if (!timer_second(&link->timer))
        return;
    if (link->state == UP)
        keep_alive(link);
    else
        retransmit(link);
}

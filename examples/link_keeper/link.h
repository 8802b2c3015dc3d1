/* A link to one peer that is opened, kept alive by pings, and closed. */

#ifndef LINK_H
#define LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h" /* made by the build: HAVE_ and VERSION macros */

#define SECONDS_TO_ANSWER 2 /* until a packet is sent again */
#define SECONDS_TO_PING   2 /* between two pings */
#define MOST_RETRIES      3
#define MOST_MISSED       2 /* pings without an answer */

enum packet { HELLO, HELLO_ACK, PING, PONG, BYE, BYE_ACK };

enum link_state { DOWN, OPENING, UP, CLOSING };

struct timer {
    bool running;
    uint8_t left;
};

struct link {
    enum link_state state;
    uint8_t retries; /* how often the last packet may be sent again */
    uint8_t missed;
    struct timer timer;
};

void link_init(struct link *link);
void link_open(struct link *link);
void link_close(struct link *link);
void link_input(struct link *link, enum packet packet);
void link_second(struct link *link);

/* What the link needs of its surroundings. */
void wire_send(enum packet packet);

#endif

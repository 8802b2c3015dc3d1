/* The daemon: packets of one byte on standard input and output, commands as signals would bring them. */

#include <poll.h>
#include <stdio.h>
#include <unistd.h>

#include "link.h"

#define LAST_PACKET BYE_ACK

static struct link peer;

void wire_send(enum packet packet)
{
    unsigned char byte = packet;

    if (write(STDOUT_FILENO, &byte, 1) != 1)
        perror("write");
}

/* The next packet, or -1 when a second has passed without one. */
static int wire_wait(void)
{
    struct pollfd wire = {.fd = STDIN_FILENO, .events = POLLIN};
    unsigned char byte;

    if (poll(&wire, 1, 1000) <= 0)
        return -1;
    if (read(STDIN_FILENO, &byte, 1) != 1)
        return -2;
    return byte;
}

int main(void)
{
    link_init(&peer);
    link_open(&peer);
    for (;;) {
        int got = wire_wait();

        if (got == -2)
            break;
        if (got < 0)
            link_second(&peer);
        else if (got <= LAST_PACKET)
            link_input(&peer, got);
    }
    link_close(&peer);
    return 0;
}

/* The two ends of a logical link, in the style of a protocol for wireless devices. */
enum state { CLOSED, WAITING, CONFIGURING, OPEN };

extern void connect_request(void), connect_response(void); /* events of both ends */
extern void config_request(void), config_response(void);
extern void packet(void);
extern void disconnect_request(void), disconnect_response(void);
extern int request(void);  /* answered by a process: which request comes next */
extern int pending(void);  /* how many packets there are to send: any number */

static enum state near_end, far_end;

void initiator(void)
{
    for (;;) {
        int packets;

        near_end = WAITING;
        connect_request();
        connect_response();
        near_end = CONFIGURING;
        config_request();
        config_response();
        near_end = OPEN;
        for (packets = pending(); packets > 0; packets--)
            packet();
        disconnect_request();
        near_end = CLOSED;
        disconnect_response();
    }
}

void acceptor(void)
{
    for (;;) {
        switch (request()) {
        case 0:
            far_end = CONFIGURING;
            connect_response();
            break;
        case 1:
            config_response();
            far_end = OPEN;
            break;
        case 2:
            break;
        case 3:
            far_end = CLOSED;
            disconnect_response();
            break;
        }
    }
}

/* What surrounds fsm.c in pppd: a clock, a wire, and the protocol that negotiates options. */

#include <stdbool.h>

enum packet { REQUEST = CONFREQ, ACK, NAK, REJECT, TERMINATE, TERMINATED, REFUSED };
enum opinion { AGREED = CONFACK, DISAGREED, UNKNOWN };

/* The outside, without a body: whoever looks at the model sees these calls. */
void sent(enum packet packet);
void up(void), down(void), starting(void), finished(void);
enum opinion opinion(void);

static bool timer;

/* The states of fsm.c are macros. A variable of an enumeration shows them by name. */
static enum { Initial, Starting, Closed, Stopped, Closing, Stopping, ReqSent, AckRcvd, AckSent, Opened } state;

static void on_up(fsm *f) { up(); }
static void on_down(fsm *f) { down(); }
static void on_starting(fsm *f) { starting(); }
static void on_finished(fsm *f) { finished(); }

static int on_request(fsm *f, u_char *p, int *len, int reject_if_disagree)
{
    enum opinion said = opinion();
    return said == DISAGREED && reject_if_disagree ? UNKNOWN : said;
}

static int on_ack(fsm *f, u_char *p, int len) { return 1; }
static int on_nak(fsm *f, u_char *p, int len, int as_reject) { return 1; }
static int on_reject(fsm *f, u_char *p, int len) { return 1; }

static const fsm_callbacks protocol = {
    .ackci = on_ack, .nakci = on_nak, .rejci = on_reject, .reqci = on_request,
    .up = on_up, .down = on_down, .starting = on_starting, .finished = on_finished, .proto_name = "LCP",
};
static fsm lcp = { .callbacks = (fsm_callbacks *)&protocol };

u_char outpacket_buf[16];

void output(int unit, u_char *packet, int len) { sent(packet[PPP_HDRLEN]); }

/* fsm.c has one timer and restarts it when it runs. The newer version calls it by other names. */
void timeout(void (*function)(void *), void *argument, int s, int us) { timer = true; }
void untimeout(void (*function)(void *), void *argument) { timer = false; }
void ppp_timeout(void (*function)(void *), void *argument, int s, int us) { timer = true; }
void ppp_untimeout(void (*function)(void *), void *argument) { timer = false; }

void begin(void)
{
    fsm_init(&lcp);
    lcp.maxconfreqtransmits = 2;   /* as with the options lcp-max-configure 2 and lcp-max-failure 2 */
    lcp.maxnakloops = 2;
    peer_mru[0] = 1500;
}

/* Packets are numbered. Only whether one answers the last request matters, so that numbers begin anew after each event,
   and counters stop where fsm.c no longer tells their values apart. */
static void settle(void)
{
    state = lcp.state;
    lcp.id = lcp.reqid = 0;
    if (lcp.rnakloops > lcp.maxnakloops)
        lcp.rnakloops = lcp.maxnakloops;
    memset(outpacket_buf, 0, sizeof outpacket_buf);
}

/* What happens to a link. */
void open_link(void) { fsm_open(&lcp); settle(); }
void close_link(void) { fsm_close(&lcp, 0); settle(); }
void wire_up(void) { fsm_lowerup(&lcp); settle(); }
void wire_down(void) { fsm_lowerdown(&lcp); settle(); }
void reject_protocol(void) { fsm_protreject(&lcp); settle(); }

void expire(void)
{
    if (!timer)
        return;
    timer = false;
    fsm_timeout(&lcp);
    settle();
}

/* A packet comes in that answers our last request, or is late and answers another one. */
void receive(enum packet packet, bool late)
{
    u_char bytes[8] = { packet, lcp.reqid + late, 0, sizeof bytes };
    fsm_input(&lcp, bytes, sizeof bytes);
    settle();
}

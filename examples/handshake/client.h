/* The client's side of a handshake that makes a connection secret: a state variable with thirty values, and a loop with
 * a switch that goes from message to message.
 *
 * A state ..._A begins a message, ..._B goes on with it after the transport was busy. proceed() returns when the
 * transport is busy; then time passes, and it is called again. What the transport, the peer, the user and the clock say
 * comes from functions without bodies: anything is possible.
 *
 * The files client_N.c include this. Each says in observe(), which is called in each round, what it claims; some plant
 * a mistake here before.
 */
#include <assert.h>

enum state {
    BEFORE = 0x1000,
    CLIENT_HELLO_A = 0x1110, CLIENT_HELLO_B,
    SERVER_HELLO_A = 0x1120, SERVER_HELLO_B,
    CERTIFICATE_A = 0x1130, CERTIFICATE_B,
    KEY_EXCHANGE_A = 0x1140, KEY_EXCHANGE_B,
    CERTIFICATE_REQUEST_A = 0x1150, CERTIFICATE_REQUEST_B,
    HELLO_DONE_A = 0x1160, HELLO_DONE_B,
    CLIENT_CERTIFICATE_A = 0x1170, CLIENT_CERTIFICATE_B, CLIENT_CERTIFICATE_C, CLIENT_CERTIFICATE_D,
    CLIENT_KEY_A = 0x1180, CLIENT_KEY_B,
    CERTIFICATE_VERIFY_A = 0x1190, CERTIFICATE_VERIFY_B,
    CHANGE_CIPHER_A = 0x11A0, CHANGE_CIPHER_B,
    FINISHED_A = 0x11B0, FINISHED_B,
    FLUSH = 0x11C0,
    SERVER_FINISHED_A = 0x11D0, SERVER_FINISHED_B,
    RENEGOTIATE = 0x11E0,
    DONE = 0x11F0
};

struct client {
    enum state state;
    enum state after_flush;              /* where to go on when everything is sent */
    unsigned flags;                      /* what this handshake has come by: see below */
    unsigned long long sent;             /* bytes that the transport took under the current keys */
    unsigned long long acknowledged;     /* and those of them that the peer has seen */
    unsigned elapsed;                    /* time since the handshake began */
    unsigned patience;                   /* how long it may take, as configured */
};

#define RESUMED 1u              /* the session is an old one, whose keys are known */
#define SERVER_KEY 2u           /* the server has sent a key of its own */
#define CERTIFICATE_WANTED 4u   /* the server has asked for a certificate */
#ifdef FLAGS_OVERLAP
#define CERTIFICATE_SENT 12u
#else
#define CERTIFICATE_SENT 8u     /* and has got one */
#endif

#define MOST_BYTES (1ull << 40)   /* more are never sent under one key */

int transport_send(int message);      /* > 0: as many bytes were taken; 0: the connection is closed; < 0: try again */
int transport_receive(int message);   /* > 0: it has come; 0: another message has come instead; < 0: try again */
int transport_flush(void);            /* > 0: done; 0: the connection is closed; < 0: try again */
unsigned transport_seen(void);        /* how many more bytes the peer says it has seen */
int user_has_certificate(void);
int session_is_known(void);
int renegotiation_is_wanted(void);
unsigned time_passed(void);
unsigned configured_patience(void);

static void observe(const struct client *c);

/* Tries to send a message. */
static int sending(struct client *c, enum state again, int message)
{
    int result = transport_send(message);
    if (result > 0) {
        if ((unsigned long long)result > MOST_BYTES - c->sent)
            return 0;
        c->sent += (unsigned)result;
    } else {
        c->state = again;
    }
    return result;
}

/* What the peer says it has seen; more than was sent is nonsense, and ends the connection. */
static int believing(struct client *c)
{
    unsigned seen = transport_seen();
    if (seen > c->sent - c->acknowledged)
        return 0;
    c->acknowledged += seen;
    return 1;
}

/* Goes on until the handshake is complete (> 0), the connection is closed (0) or the transport is busy (< 0). */
static int proceed(struct client *c)
{
    int result;
    for (;;) {
        observe(c);
        switch (c->state) {
        case RENEGOTIATE:
        case BEFORE:
            c->flags = 0;
            c->elapsed = 0;
            c->state = CLIENT_HELLO_A;
            break;

        case CLIENT_HELLO_A:
        case CLIENT_HELLO_B:
            if ((result = sending(c, CLIENT_HELLO_B, 1)) <= 0)
                return result;
            c->after_flush = SERVER_HELLO_A;
            c->state = FLUSH;
            break;

        case SERVER_HELLO_A:
        case SERVER_HELLO_B:
            c->state = SERVER_HELLO_B;
            if ((result = transport_receive(2)) <= 0)
                return result;
            if (!believing(c))
                return 0;
            if (session_is_known()) {
                c->flags |= RESUMED;
                c->state = SERVER_FINISHED_A;
            } else {
                c->state = CERTIFICATE_A;
            }
            break;

        case CERTIFICATE_A:
        case CERTIFICATE_B:
            c->state = CERTIFICATE_B;
            if ((result = transport_receive(11)) < 0)
                return result;
            c->state = KEY_EXCHANGE_A;
            break;

        case KEY_EXCHANGE_A:
        case KEY_EXCHANGE_B:
            c->state = KEY_EXCHANGE_B;
            if ((result = transport_receive(12)) < 0)
                return result;
            if (result > 0)
                c->flags |= SERVER_KEY;
            c->state = CERTIFICATE_REQUEST_A;
            break;

        case CERTIFICATE_REQUEST_A:
        case CERTIFICATE_REQUEST_B:
            c->state = CERTIFICATE_REQUEST_B;
            if ((result = transport_receive(13)) < 0)
                return result;
            if (result > 0)
                c->flags |= CERTIFICATE_WANTED;
            c->state = HELLO_DONE_A;
            break;

        case HELLO_DONE_A:
        case HELLO_DONE_B:
            c->state = HELLO_DONE_B;
            if ((result = transport_receive(14)) <= 0)
                return result;
            c->state = c->flags & CERTIFICATE_WANTED ? CLIENT_CERTIFICATE_A : CLIENT_KEY_A;
            break;

        case CLIENT_CERTIFICATE_A:
        case CLIENT_CERTIFICATE_B:
            c->state = CLIENT_CERTIFICATE_B;
            if ((result = user_has_certificate()) < 0)
                return result;
            c->state = result > 0 ? CLIENT_CERTIFICATE_C : CLIENT_KEY_A;
            break;

        case CLIENT_CERTIFICATE_C:
        case CLIENT_CERTIFICATE_D:
            if ((result = sending(c, CLIENT_CERTIFICATE_D, 11)) <= 0)
                return result;
            c->flags |= CERTIFICATE_SENT;
            c->state = CLIENT_KEY_A;
            break;

        case CLIENT_KEY_A:
        case CLIENT_KEY_B:
            if ((result = sending(c, CLIENT_KEY_B, 16)) <= 0)
                return result;
            c->state = c->flags & CERTIFICATE_SENT ? CERTIFICATE_VERIFY_A : CHANGE_CIPHER_A;
            break;

        case CERTIFICATE_VERIFY_A:
        case CERTIFICATE_VERIFY_B:
            if ((result = sending(c, CERTIFICATE_VERIFY_B, 15)) <= 0)
                return result;
            c->state = CHANGE_CIPHER_A;
            break;

        case CHANGE_CIPHER_A:
        case CHANGE_CIPHER_B:
            if ((result = sending(c, CHANGE_CIPHER_B, 21)) <= 0)
                return result;
            c->sent = 0;
#ifndef ACKNOWLEDGED_OF_OLD_KEYS
            c->acknowledged = 0;
#endif
            c->state = FINISHED_A;
            break;

        case FINISHED_A:
        case FINISHED_B:
            if ((result = sending(c, FINISHED_B, 20)) <= 0)
                return result;
            c->after_flush = c->flags & RESUMED ? DONE : SERVER_FINISHED_A;
            c->state = FLUSH;
            break;

        case FLUSH:
            if ((result = transport_flush()) <= 0)
                return result;
            c->state = c->after_flush;
            break;

        case SERVER_FINISHED_A:
        case SERVER_FINISHED_B:
            c->state = SERVER_FINISHED_B;
            if ((result = transport_receive(20)) <= 0)
                return result;
            if (!believing(c))
                return 0;
            c->state = c->flags & RESUMED ? CHANGE_CIPHER_A : DONE;
            break;

        case DONE:
            return 1;
        }
    }
}

static int run(void)
{
    static struct client c;
    int result;
    c.state = BEFORE;
    c.patience = configured_patience();
    for (;;) {
        result = proceed(&c);
        if (result == 0)
            return 1;
        if (result > 0) {
            if (!renegotiation_is_wanted())
                return 0;
            c.state = RENEGOTIATE;
        } else {
            unsigned step = time_passed();
#ifdef CLOCK_MAY_WRAP
            if (c.elapsed + step > c.patience)
                return 2;
#else
            if (step > c.patience - c.elapsed)
                return 2;
#endif
            c.elapsed += step;
        }
    }
}

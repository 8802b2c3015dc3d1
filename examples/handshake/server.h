/* The server's side of a handshake that makes a connection secret: a state variable with thirty values, and a loop with
 * a switch that goes from message to message.
 *
 * A state ..._A begins a message, ..._B goes on with it after the transport was busy. serve() returns when that
 * happens, and is called again later: the whole handshake is a row of calls of unknown length. What the transport, the
 * peer and the configuration say comes from functions without bodies: anything is possible.
 *
 * The files server_N.c include this. Each says in observe(), which is called in each round, what it claims; some plant
 * a mistake here before.
 */
#include <assert.h>

enum state {
    BEFORE = 0x100,
    HELLO_REQUEST_A = 0x110, HELLO_REQUEST_B,
    CLIENT_HELLO_A = 0x120, CLIENT_HELLO_B, CLIENT_HELLO_C,
    SERVER_HELLO_A = 0x130, SERVER_HELLO_B,
    CERTIFICATE_A = 0x140, CERTIFICATE_B,
    KEY_EXCHANGE_A = 0x150, KEY_EXCHANGE_B,
    CERTIFICATE_REQUEST_A = 0x160, CERTIFICATE_REQUEST_B,
    HELLO_DONE_A = 0x170, HELLO_DONE_B,
    FLUSH = 0x180,
    CLIENT_CERTIFICATE_A = 0x190, CLIENT_CERTIFICATE_B,
    CLIENT_KEY_A = 0x1A0, CLIENT_KEY_B,
    CERTIFICATE_VERIFY_A = 0x1B0, CERTIFICATE_VERIFY_B,
    CLIENT_FINISHED_A = 0x1C0, CLIENT_FINISHED_B,
    CHANGE_CIPHER_A = 0x1D0, CHANGE_CIPHER_B,
    FINISHED_A = 0x1E0, FINISHED_B,
    DONE = 0x1F0
};

struct server {
    enum state state;
    enum state after_flush;   /* where to go on when everything is sent */
    unsigned cipher;          /* bits: see below */
    int resumed;              /* the session is an old one, whose keys are known */
    int asked;                /* the client was asked for a certificate */
    int presented;            /* and has shown one */
    unsigned retries;         /* how often the transport was busy since it last was not */
    unsigned retry_limit;     /* how often it may be, as configured */
    unsigned sequence;        /* number of the next message under the current keys */
    unsigned sent;            /* messages that the transport took under the current keys */
    unsigned handshakes;      /* how many are complete */
};

#define ANONYMOUS 1u   /* the server shows no certificate */
#define EPHEMERAL 2u   /* keys are made for this connection, and sent by the server */

int transport_send(int message);      /* > 0: it was taken; 0: the connection is closed; < 0: busy, try again */
int transport_receive(int message);   /* > 0: it has come; 0: the connection is closed; < 0: not yet, try again */
int transport_flush(void);            /* as transport_send */
unsigned choose_cipher(void);         /* what client and server have in common */
int session_is_known(void);
int certificate_is_empty(void);
int client_must_have_certificate(void);
int renegotiation_is_wanted(void);
unsigned configured_retries(void);

static void observe(const struct server *s);

/* What the transport has said of a message: > 0 if it is through. */
static int through(struct server *s, int result)
{
    if (result < 0)
        s->retries++;
    else
        s->retries = 0;
    return result;
}

/* Tries to send a message; it gets the next number when it is taken. */
static int sending(struct server *s, enum state again, int message)
{
    int result = through(s, transport_send(message));
    if (result > 0) {
#ifdef NUMBER_LOST_WHEN_BUSY
        if (s->state != again)
            s->sequence++;
#else
        s->sequence++;
#endif
        s->sent++;
    } else {
        s->state = again;
    }
    return result;
}

/* Waits for a message. */
static int receiving(struct server *s, enum state again, int message)
{
    int result = through(s, transport_receive(message));
    if (result <= 0)
        s->state = again;
    return result;
}

/* Goes on until the handshake is complete (> 0), the connection is closed (0) or the transport is busy (< 0). */
static int serve(struct server *s)
{
    int result;
    for (;;) {
        observe(s);
        switch (s->state) {
        case BEFORE:
            s->resumed = 0;
            s->asked = 0;
#ifndef CERTIFICATE_REMEMBERED
            s->presented = 0;
#endif
            s->state = s->handshakes > 0 ? HELLO_REQUEST_A : CLIENT_HELLO_A;
            break;

        case HELLO_REQUEST_A:
        case HELLO_REQUEST_B:
            if ((result = sending(s, HELLO_REQUEST_B, 0)) <= 0)
                return result;
            s->after_flush = CLIENT_HELLO_A;
            s->state = FLUSH;
            break;

        case CLIENT_HELLO_A:
        case CLIENT_HELLO_B:
            if ((result = receiving(s, CLIENT_HELLO_B, 1)) <= 0)
                return result;
            s->state = CLIENT_HELLO_C;
            break;

        case CLIENT_HELLO_C:
            s->cipher = choose_cipher();
            s->resumed = session_is_known() != 0;
            s->state = SERVER_HELLO_A;
            break;

        case SERVER_HELLO_A:
        case SERVER_HELLO_B:
            if ((result = sending(s, SERVER_HELLO_B, 2)) <= 0)
                return result;
            s->state = s->resumed ? CHANGE_CIPHER_A : CERTIFICATE_A;
            break;

        case CERTIFICATE_A:
        case CERTIFICATE_B:
            if (!(s->cipher & ANONYMOUS)) {
                if ((result = sending(s, CERTIFICATE_B, 11)) <= 0)
                    return result;
            }
            s->state = KEY_EXCHANGE_A;
            break;

        case KEY_EXCHANGE_A:
        case KEY_EXCHANGE_B:
            if (s->cipher & (ANONYMOUS | EPHEMERAL)) {
                if ((result = sending(s, KEY_EXCHANGE_B, 12)) <= 0)
                    return result;
            }
            s->state = CERTIFICATE_REQUEST_A;
            break;

        case CERTIFICATE_REQUEST_A:
        case CERTIFICATE_REQUEST_B:
            if (s->state == CERTIFICATE_REQUEST_B || (client_must_have_certificate() && !(s->cipher & ANONYMOUS))) {
                if ((result = sending(s, CERTIFICATE_REQUEST_B, 13)) <= 0)
                    return result;
                s->asked = 1;
            }
            s->state = HELLO_DONE_A;
            break;

        case HELLO_DONE_A:
        case HELLO_DONE_B:
            if ((result = sending(s, HELLO_DONE_B, 14)) <= 0)
                return result;
            s->after_flush = CLIENT_CERTIFICATE_A;
            s->state = FLUSH;
            break;

        case FLUSH:
            if ((result = through(s, transport_flush())) <= 0)
                return result;
            s->state = s->after_flush;
            break;

        case CLIENT_CERTIFICATE_A:
        case CLIENT_CERTIFICATE_B:
            if (s->asked) {
                if ((result = receiving(s, CLIENT_CERTIFICATE_B, 11)) <= 0)
                    return result;
                if (!certificate_is_empty())
                    s->presented = 1;
            }
            s->state = CLIENT_KEY_A;
            break;

        case CLIENT_KEY_A:
        case CLIENT_KEY_B:
            if ((result = receiving(s, CLIENT_KEY_B, 16)) <= 0)
                return result;
            s->state = CERTIFICATE_VERIFY_A;
            break;

        case CERTIFICATE_VERIFY_A:
        case CERTIFICATE_VERIFY_B:
            if (s->presented) {
                if ((result = receiving(s, CERTIFICATE_VERIFY_B, 15)) <= 0)
                    return result;
            }
            s->state = CLIENT_FINISHED_A;
            break;

        case CLIENT_FINISHED_A:
        case CLIENT_FINISHED_B:
            if ((result = receiving(s, CLIENT_FINISHED_B, 20)) <= 0)
                return result;
            s->state = s->resumed ? DONE : CHANGE_CIPHER_A;
            break;

        case CHANGE_CIPHER_A:
        case CHANGE_CIPHER_B:
            if ((result = sending(s, CHANGE_CIPHER_B, 21)) <= 0)
                return result;
            s->sequence = 0;
            s->sent = 0;
            s->state = FINISHED_A;
            break;

        case FINISHED_A:
        case FINISHED_B:
            if ((result = sending(s, FINISHED_B, 20)) <= 0)
                return result;
            s->after_flush = s->resumed ? CLIENT_FINISHED_A : DONE;
            s->state = FLUSH;
            break;

        case DONE:
            s->handshakes++;
            return 1;
        }
    }
}

static int run(void)
{
    static struct server s;
    int result;
    s.state = BEFORE;
    s.retry_limit = configured_retries();
    if (s.retry_limit < 3 || s.retry_limit > 1000000)
        s.retry_limit = 3;
    for (;;) {
        result = serve(&s);
        if (result == 0)
            return 1;
        if (result > 0) {
            if (!renegotiation_is_wanted())
                return 0;
            s.state = BEFORE;
        }
#ifdef ONE_RETRY_TOO_MANY
        else if (s.retries > s.retry_limit)
            return 2;
#else
        else if (s.retries >= s.retry_limit)
            return 2;
#endif
    }
}

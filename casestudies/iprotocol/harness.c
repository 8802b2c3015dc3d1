/* Stands for the rest of UUCP: a window of 2, packets of 18 bytes, and a line on which packets are numbers from 0 to 47.
   It is compiled together with the file that it drives, whose variables are its own. */
#include "proti.c"

enum { NOTHING = 48, PACKET = 18, ROOM = PACKET + CHDRSKIPLEN + CCKSUMLEN };

int line(void);   /* a reply, or anything else when none came in time */

static struct sdaemon daemon;
static char buffers[IMAXSEQ][ROOM];
static int sent = NOTHING;

char abPrecbuf[CRECBUFLEN];
int iPrecstart, iPrecend;

void uwindow_acked(struct sdaemon *given, boolean all)
{
    (void)given, (void)all;
}

/* The kind of a packet, its number and the last one received, both as positions in a ring of four. */
static int encoded(const char *packet)
{
    int type = THDRCON_GETTYPE(packet[IHDR_CONTENTS1], packet[IHDR_CONTENTS2]);
    int kind = type == DATA ? 0 : type == ACK ? 1 : 2;

    return kind * 16 + IHDRWIN_GETSEQ(packet[IHDR_LOCAL]) % 4 * 4 + IHDRWIN_GETSEQ(packet[IHDR_REMOTE]) % 4;
}

static boolean to_line(struct sconnection *connection, const char *packet, size_t length, boolean read)
{
    (void)connection, (void)length, (void)read;
    sent = encoded(packet);
    sent = NOTHING;
    return TRUE;
}

/* A reply without data: it acknowledges up to a packet, and may ask for one again. */
static void put(int type, int number, int acknowledged)
{
    abPrecbuf[IHDR_INTRO] = IINTRO;
    abPrecbuf[IHDR_LOCAL] = IHDRWIN_SET(number, 0);
    abPrecbuf[IHDR_REMOTE] = IHDRWIN_SET(acknowledged, 0);
    abPrecbuf[IHDR_CONTENTS1] = IHDRCON_SET1(type, 0, 0);
    abPrecbuf[IHDR_CONTENTS2] = IHDRCON_SET2(type, 0, 0);
    abPrecbuf[IHDR_CHECK] = IHDRCHECK_VAL(abPrecbuf);
    iPrecstart = 0;
    iPrecend = CHDRLEN;
}

static boolean from_line(struct sconnection *connection, size_t need, size_t *got, int timeout, boolean report)
{
    int reply, code;

    (void)connection, (void)need, (void)timeout, (void)report;
    *got = 0;
    /* What was received before makes no difference any more. */
    for (code = 0; code < CHDRLEN; code++)
        abPrecbuf[code] = 0;
    iPrecstart = iPrecend = 0;
    reply = line();
    for (code = 16; code < 48; code++)
        if (reply == code) {
            int acknowledged = (iIremote_ack + ((code - iIremote_ack) & 3)) % IMAXSEQ;

            put(code < 32 ? ACK : NAK, (iIremote_ack + ((code / 4 - iIremote_ack) & 3)) % IMAXSEQ, acknowledged);
            *got = CHDRLEN;
            break;
        }
    return TRUE;
}

int send_for_ever(void)
{
    int i;

    pfIsend = to_line;
    pfIreceive = from_line;
    daemon.fcaller = TRUE;
    iIremote_winsize = iIrequest_winsize = 2;
    iIremote_packsize = PACKET;
    cIack_frequency = 1;
    cIerrors = -1;   /* any number of them is accepted */
    iIsendseq = 1;
    for (i = 0; i < IMAXSEQ; i++)
        azIsendbuffers[i] = buffers[i];
    for (;;) {
        size_t room;
        char *data = zigetspace(&daemon, &room);

        if (!fisenddata(&daemon, data, room, 0, 0, -1L))
            return 1;
    }
}

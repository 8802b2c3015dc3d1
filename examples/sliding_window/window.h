#ifndef WINDOW_H
#define WINDOW_H

#define WINDOW 2               /* packets that may be on their way */
#define NUMBERS (2 * WINDOW)   /* packets are numbered 0, 1, 2, 3, 0, 1 ... */
#define BYTES 18

enum packet { DATA, AGAIN, ENQUIRY };
enum reply { ACK, NAK, BUSY };

struct header {
    unsigned char kind;
    unsigned char number;   /* of this packet, or of the one that a reply is about */
    unsigned char first;    /* the oldest packet that is not acknowledged */
};

/* How packets leave and replies arrive; `receive` returns 0 when nothing came in time. */
extern void (*send)(const struct header *header, const unsigned char *bytes);
extern int (*receive)(struct header *header);

void send_data(const unsigned char *bytes);

#endif

/* A receiver for SLIP frames (RFC 1055): bytes come from a serial port, frames go to the application. */

#include <stdbool.h>

#define END     0xC0
#define ESC     0xDB
#define ESC_END 0xDC
#define ESC_ESC 0xDD
#define LONGEST 2

static bool escaped;
static bool overrun;
static unsigned char length;

unsigned char uart_read(void);             /* the driver: waits for a byte */
void deliver(unsigned char length);        /* a frame is complete */

static void take(void)
{
    if (length < LONGEST)
        length++;
    else
        overrun = true;
}

static void finish(void)
{
    if (length > 0 && !overrun)
        deliver(length);
    length = 0;
    overrun = false;
    escaped = false;
}

void receive(void)
{
    unsigned char byte = uart_read();

    if (byte == END) {
        finish();
    } else if (escaped) {
        escaped = false;
        if (byte == ESC_END || byte == ESC_ESC)
            take();
        else
            overrun = true;                /* not a frame of ours: let it pass */
    } else if (byte == ESC) {
        escaped = true;
    } else {
        take();
    }
}

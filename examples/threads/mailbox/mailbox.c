/* A producer and a consumer with a mailbox between them that holds one letter. */
#include <assert.h>

extern void send(int letter); /* an event */
extern int receive(void);     /* answered by a process: it returns what the mailbox holds */
extern void close(void);      /* an event */
extern int demand(void);      /* how many letters are wanted: any number */

void producer(void)
{
    int wanted = demand(), sent = 0;

    while (sent < wanted) {
        send(sent % 2);
        sent++;
    }
    close();
}

void consumer(void)
{
    int expected = 0;

    for (;;) {
        int letter = receive();

        if (letter == 2)
            break;
        assert(letter == expected);
        expected = !expected;
    }
}

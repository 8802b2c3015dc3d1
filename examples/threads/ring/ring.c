/* A token ring: who has the token may use the line, as long as it takes, and passes the token on. */
enum { NODES = 3 };

extern void pass(int to);    /* events: done by who gives the token and by who gets it */
extern void begin(int node); /* events of one node alone */
extern void end(int node);
extern int waiting(int node); /* how many packets wait: any number */

void node(int number)
{
    int has_token = number == 0;

    for (;;) {
        int packets;

        if (!has_token)
            pass(number);
        packets = waiting(number);
        if (packets > 0) {
            begin(number);
            while (packets > 0)
                packets--;
            end(number);
        }
        has_token = 0;
        pass((number + 1) % NODES);
    }
}

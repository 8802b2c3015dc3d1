/* A store that counts up and down, as a component of a design would be written in C. */
enum event { DECR, INCR, INIT };
enum state { ONE = 1, TWO, THREE, FOUR, FIVE };

extern int external_choice(void); /* answered by a process: which interaction begins next */
extern void end_decr(void), end_incr(void), end_init(void);

static int data, max = 5;

void store_S(void)
{
    enum state state = ONE;

    for (;;) {
        switch (state) {
        case ONE: /* until it is initialised, nothing counts */
            switch (external_choice()) {
            case DECR:
                end_decr();
                break;
            case INCR:
                end_incr();
                break;
            case INIT:
                state = TWO;
                break;
            }
            break;
        case TWO:
            data = 0;
            end_init();
            state = THREE;
            break;
        case THREE:
            switch (external_choice()) {
            case DECR:
                state = FIVE;
                break;
            case INCR:
                state = FOUR;
                break;
            case INIT:
                state = TWO;
                break;
            }
            break;
        case FOUR:
            if (data < max)
                data = data + 1;
            else
                data = 0;
            end_incr();
            state = THREE;
            break;
        case FIVE:
            if (data > 0)
                data = data - 1;
            end_decr();
            state = THREE;
            break;
        }
    }
}

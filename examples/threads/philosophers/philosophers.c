/* Philosophers at a round table: each needs the two forks beside his plate to eat. */
enum { SEATS = 5 };

extern void take(int who, int fork); /* events: the fork does them, too */
extern void put(int who, int fork);

/* Takes the fork at his left hand first, as everybody does. */
void philosopher(int seat)
{
    int left = seat, right = (seat + 1) % SEATS;

    for (;;) {
        take(seat, left);
        take(seat, right);
        put(seat, right);
        put(seat, left);
    }
}

/* Takes the fork with the smaller number first. */
void careful(int seat)
{
    int first = seat, second = (seat + 1) % SEATS;

    if (second < first) {
        first = second;
        second = seat;
    }
    for (;;) {
        take(seat, first);
        take(seat, second);
        put(seat, second);
        put(seat, first);
    }
}

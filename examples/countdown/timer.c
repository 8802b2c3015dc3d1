/* A countdown: somebody starts it, and a 20 ms task counts it down. */

#define LONGEST 5

static int t;

void start_timer(int ticks)
{
    if (ticks >= 0 && ticks <= LONGEST)
        t = ticks;
}

void process_20ms(void)
{
    if (t > 0)
        t--;
}

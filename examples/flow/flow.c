/* A reading becomes a number of tens, and whoever waits is told whether that is none. */
extern int reading(void);
extern void still(void), moving(void);

static int x, t;

int main(void)
{
    x = reading();
    t = x / 10;
    if (t == 0)
        still();
    else
        moving();
    return 0;
}

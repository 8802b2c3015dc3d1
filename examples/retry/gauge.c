/* A gauge: how much of its capacity each unit that is left in a tank stands for, in thousandths. */
static const int capacity = 123456;

int share(int reading)
{
    if (reading < 0)
        return 0;
    return 1000 * capacity / (capacity - reading);
}

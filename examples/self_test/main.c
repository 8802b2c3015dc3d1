/* The self-test of a device: it runs once, tries a flaky part up to three times, and ends with a status. */

enum status { PASSED = 0, NO_SENSOR = 1, BAD_MEMORY = 2 };

int probe_sensor(void);              /* the number of bytes it answered, or less than 0 */

static unsigned char memory[4];

static int memory_is_good(void)
{
    for (unsigned i = 0; i < sizeof memory; i++)
        memory[i] = (unsigned char)(0xA5 ^ i);
    for (unsigned i = 0; i < sizeof memory; i++)
        if (memory[i] != (0xA5 ^ i))
            return 0;
    return 1;
}

int main(void)
{
    int attempt = 0;

    if (!memory_is_good())
        return BAD_MEMORY;
    while (probe_sensor() < 0)
        if (++attempt == 3)
            return NO_SENSOR;
    return PASSED;
}

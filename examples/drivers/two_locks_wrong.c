/* The same as two_locks.c, but a device that is never ready keeps the lock of its registers: the next one who needs it
 * takes it a second time.
 *
 * verdict: violated
 */
#include <assert.h>

int next_job(void);
int device_is_ready(void);

static int queue_held, registers_held;
static unsigned resets, jobs;

static void take_queue(void)
{
    assert(!queue_held);
    queue_held = 1;
}

static void take_registers(void)
{
    assert(!registers_held);
    registers_held = 1;
}

static int start(void)
{
    unsigned tries = 0;
    take_registers();
    while (!device_is_ready()) {
        if (++tries > 10)
            return 0;
    }
    registers_held = 0;
    return 1;
}

int main(void)
{
    int job;
    take_queue();
    while ((job = next_job()) != 0) {
        if (job > 0) {
            if (!start()) {
                queue_held = 0;
                resets++;
                take_queue();
            }
        } else {
            jobs++;
        }
    }
    queue_held = 0;
    return 0;
}

/* A device with a lock for its queue and one for its registers. Whoever needs both takes that of the queue first; the
 * work goes on after a reset, for as long as somebody wants. Neither lock is taken twice, and the order is kept.
 *
 * verdict: holds
 */
#include <assert.h>

int next_job(void);
int device_is_ready(void);

static int queue_held, registers_held;
static unsigned resets, jobs;

static void take_queue(void)
{
    assert(!queue_held && !registers_held);
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
        if (++tries > 100) {
            registers_held = 0;
            return 0;
        }
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

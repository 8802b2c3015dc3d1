#include "motor.h"

void motor_init(struct motor *motor)
{
    motor->mode = OFF;
    motor->speed = 0;
    motor->wanted = 0;
}

void motor_set(struct motor *motor, int wanted)
{
    if (motor->mode == STOPPED)
        return;
    motor->wanted = wanted;
    if (wanted != motor->speed)
        motor->mode = RAMPING;
    else
        motor->mode = wanted ? STEADY : OFF;
}

void motor_tick(struct motor *motor)
{
    if (motor->mode != RAMPING)
        return;
    if (ramp_step(motor))
        motor->mode = motor->speed ? STEADY : OFF;
}

void motor_stop(struct motor *motor)
{
    motor->mode = STOPPED;
    motor->speed = 0;
    motor->wanted = 0;
}

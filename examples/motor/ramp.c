#include "motor.h"

int ramp_step(struct motor *motor)
{
    if (motor->speed < motor->wanted)
        motor->speed++;
    else if (motor->speed > motor->wanted)
        motor->speed--;
    return motor->speed == motor->wanted;
}

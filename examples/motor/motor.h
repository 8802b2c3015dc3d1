/* A motor that is brought to its speed in steps, and an emergency stop. */

#ifndef MOTOR_H
#define MOTOR_H

enum mode { OFF, RAMPING, STEADY, STOPPED };

struct motor {
    enum mode mode;
    int speed;
    int wanted;
};

/* ramp.c: one step towards the wanted speed; whether it is reached. */
int ramp_step(struct motor *motor);

void motor_init(struct motor *motor);
void motor_set(struct motor *motor, int wanted);
void motor_tick(struct motor *motor);
void motor_stop(struct motor *motor);

#endif

// A hoist that a motor drives to the end of its rail. Where the hoist stands at the end already, the motor says so before
// start() returns: what the hoist notes after that call must not undo what the motor has told it.
class Motor {
public:
    void start();
    void stop() noexcept;
};

class Hoist {
    enum class State { Resting, Moving, AtEnd };

    Motor motor;
    State state = State::Resting;

public:
    bool drive() {
        if (state != State::Resting)
            return false;
#ifdef REPAIRED
        state = State::Moving;
        motor.start();
#else
        motor.start();
        state = State::Moving;
#endif
        return true;
    }

    // The motor calls this when the hoist has come to the end of its rail.
    void arrived() {
        motor.stop();
        state = State::AtEnd;
    }

    bool back() {
        if (state != State::AtEnd)
            return false;
        state = State::Resting;
        return true;
    }
};

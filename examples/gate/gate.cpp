// A gate that a motor opens and closes. What drives the motor is not here: its functions have no bodies.
struct MotorFailure {};

class MotorController {
public:
    MotorController();
    void start(bool up); // throws MotorFailure
    void stop() noexcept;
};

class GateModel {
public:
    enum class Position { Closed, Open, Unknown };

private:
    Position position = Position::Closed;

public:
    Position get() const { return position; }
    void set(Position now) { position = now; }
};

class GateController {
    using Position = GateModel::Position;

    GateModel gate;
    MotorController motor;

    bool drive(bool up, Position goal) {
        if (gate.get() == goal)
            return true;
        try {
            motor.start(up);
        } catch (const MotorFailure &) {
            motor.stop();
            gate.set(Position::Unknown);
            return false;
        }
        motor.stop();
        gate.set(goal);
        return true;
    }

public:
    bool open() { return drive(true, Position::Open); }
    bool close() { return drive(false, Position::Closed); }
};

// A platform on two actuators. It must never be tilted: the lengths may differ by 1 at most.
#include "../actuator/actuator.cpp"

class SuspensionController {
    Actuator act1, act2;

public:
    // Moves the platform all the way. The second actuator waits until the first has come to its end: `||` does not look
    // at its right side where the left one is true.
    void move(bool up) {
        int d = up ? 1 : -1;
        while (act1.move(d) != 0 || act2.move(d) != 0) {
        }
    }
};

class LevelController {
    Actuator act1, act2;

public:
    // The same with `|`, which always moves both.
    void move(bool up) {
        int d = up ? 1 : -1;
        while ((act1.move(d) != 0) | (act2.move(d) != 0)) {
        }
    }
};

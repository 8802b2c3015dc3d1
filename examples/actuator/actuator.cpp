// A linear actuator that extends and shrinks step by step, between 0 and 4.
class Actuator {
    int length = 0;

public:
    // Moves by delta as far as that is possible, and says how far it went.
    int move(int delta) {
        int next = length + delta;
        if (next > 4)
            next = 4;
        if (next < 0)
            next = 0;
        int moved = next - length;
        length = next;
        return moved;
    }
};

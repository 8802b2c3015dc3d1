// A tank that is filled through a valve. The board that drives the valve and measures the water is more than its code here: the
// project file says what it does.
namespace board {
bool valve;   // whether water comes in
int measured; // by a converter, from 0 to 1023

int water() { return measured / 342; } // from 0, empty, to 2, full
} // namespace board

class Tank {
    int last = 0;

public:
    // Called every second: the valve is to be closed when the tank is full.
    void tick() {
        int now = board::water();
        if (now == 2)
            board::valve = false;
        else if (now == 0 && last == 0)
            board::valve = true;
        last = now;
    }

    void close() { board::valve = false; }
};

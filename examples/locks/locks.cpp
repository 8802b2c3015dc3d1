// Two lists of locks that are locked and unlocked together. A bolt may break, and is broken for good then.
#ifndef COUNT
#define COUNT 2
#endif

struct Broken {};

class Latch {
    bool locked = false;

public:
    void lock() { locked = true; }
    void unlock() { locked = false; }
};

bool breaks();

class Bolt {
    enum class State { Unlocked, Locked, Broken };
    State state = State::Unlocked;

    void go(State next) {
        if (state == State::Broken || breaks()) {
            state = State::Broken;
            throw Broken();
        }
        state = next;
    }

public:
    void lock() { go(State::Locked); }
    void unlock() { go(State::Unlocked); }
};

class Locks {
    Latch latches[COUNT];
    Bolt bolts[COUNT];
    bool locked = false;
    bool failed = false;

    void all(bool lock) {
        if (failed)
            throw Broken();
        if (locked == lock)
            return;
        try {
            for (int i = 0; i < COUNT; i++) {
                if (lock) {
                    bolts[i].lock();
                    latches[i].lock();
                } else {
                    bolts[i].unlock();
                    latches[i].unlock();
                }
            }
        } catch (const Broken &) {
            failed = true;
            throw;
        }
        locked = lock;
    }

public:
    void lock() { all(true); }
    void unlock() { all(false); }
    bool is_locked() const {
        if (failed)
            throw Broken();
        return locked;
    }
};

// The shelf of shelf.ccl as a class.
struct Listener {
    virtual ~Listener() = default;
    virtual void full(int count) = 0;
    virtual void freeAgain() = 0;
};

class Shelf {
public:
    explicit Shelf(Listener &listener) : listener(listener) {}

    void put(int size) {
        if (size > 1 || count >= room) {
            return;
        }
        if (++count == room) {
            listener.full(count);
        }
    }

    void take() {
        if (count > 0 && count-- == room) {
            listener.freeAgain();
        }
    }

private:
    static const int room = 2;
    int count = 0;
    Listener &listener;
};

// A panel that watches a sensor and sounds a siren; who knows the code can arm and disarm it.
#include <string>

enum class Reading { Quiet, Moving, Dead };

struct Sensor {
    virtual ~Sensor() = default;
    virtual Reading read() = 0;
};

struct Siren {
    virtual ~Siren() = default;
    virtual void on() = 0;
    virtual void off() = 0;
};

class Door : public Sensor {
    bool open = false;

public:
    Reading read() override {
        open = !open;
        return open ? Reading::Moving : Reading::Quiet;
    }
};

class Panel {
    Siren &siren;
    Sensor *watched = nullptr;
    bool armed = false;
    bool sounding = false;

public:
    explicit Panel(Siren &s) : siren(s) {}

    void watch(Sensor *sensor) { watched = sensor; }

    bool arm(const std::string &code) {
        armed = armed || code == "1234";
        return armed;
    }

    bool disarm(const std::string &code) {
        if (code != "1234")
            return false;
        if (sounding)
            siren.off();
        armed = sounding = false;
        return true;
    }

    bool check() {
        if (!armed || !watched)
            return false;
        Reading seen = watched->read();
        if (seen != Reading::Quiet && !sounding) {
            sounding = true;
            siren.on();
        }
        return sounding;
    }
};

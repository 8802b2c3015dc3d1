// The new side: components that command a drive, and a console that is told what becomes of it.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace motion {

enum class Mode : std::uint8_t {
    Offline,
    Connecting,
    Configuring,
    Homing,
    Standby,
    Enabling,
    Ready,
    Starting,
    Moving,
    Stopping,
    Holding,
    Disabling,
    Fault,
    Clearing,
    Closing,
};

inline constexpr int modes = 15;

// The places that the drive can go to.
enum class Station : std::uint8_t { Load, Work, Park };

inline constexpr int stations = 3;

// What becomes of a command.
enum class Verdict : std::uint8_t { Started, Queued, Refused, Failed };

// Why the drive is in Fault.
enum class Reason : std::uint8_t { LineDown, Silent, Rejected, Overload, LimitSwitch, Interrupted };

std::string_view name(Mode mode);
std::string_view name(Station station);
std::string_view name(Reason reason);

// There is no drive to talk to.
class Unavailable : public std::runtime_error {
public:
    explicit Unavailable(const char *what) : std::runtime_error(what) {}
};

// A command was given from within a notification.
class Reentered : public std::logic_error {
public:
    explicit Reentered(Mode mode);

    Mode mode() const noexcept { return mode_; }

private:
    Mode mode_;
};

class Drive {
public:
    virtual ~Drive() = default;

    // Throws Unavailable if there is no drive.
    virtual Verdict connect() = 0;
    virtual Verdict disconnect() = 0;
    virtual Verdict enable() = 0;
    virtual Verdict disable() = 0;
    virtual Verdict move_to(Station station) = 0;
    virtual Verdict hold() = 0;
    virtual Verdict resume() = 0;
    virtual Verdict stop() = 0;
    // Somebody has seen the fault and wants to go on.
    virtual Verdict acknowledge() = 0;
    virtual Mode mode() const noexcept = 0;
};

class Console {
public:
    Console() = default;
    Console(const Console &) = delete;
    Console &operator=(const Console &) = delete;
    virtual ~Console() = default;

    virtual void entered(Mode mode) = 0;
    virtual void arrived(Station station) = 0;
    virtual void failed(Reason reason) = 0;
};

} // namespace motion

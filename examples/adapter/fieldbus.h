// The old side: a drive behind a field bus. The bus carries one request at a time; the answer comes later, or never.
#pragma once

#include <cstdint>
#include <exception>

namespace fieldbus {

enum class Function : std::uint8_t {
    Identify = 0x01,
    WriteParameter = 0x06,
    Home = 0x10,
    PowerOn = 0x20,
    PowerOff = 0x21,
    SetTarget = 0x30,
    Halt = 0x32,
    ClearAlarm = 0x40,
    Release = 0x7f,
};

// What the drive says to a request.
enum class Answer : std::uint8_t { Done, Busy, Rejected };

// What the drive says without being asked.
enum class Event : std::uint8_t { Arrived, Overload, LimitSwitch };

struct Request {
    Function function;
    std::int32_t argument = 0;
};

// A request could not be sent.
class LineError : public std::exception {
public:
    const char *what() const noexcept override = 0;
};

// Nobody listens on the other end.
class LineDown : public LineError {
public:
    const char *what() const noexcept override { return "the line is down"; }
};

// Somebody else was talking; the same request may be sent again at once.
class Collision : public LineError {
public:
    const char *what() const noexcept override { return "others are talking on the line"; }
};

class Bus {
public:
    Bus() = default;
    Bus(const Bus &) = delete;
    Bus &operator=(const Bus &) = delete;
    virtual ~Bus() = default;

    // Puts a request on the line. Throws LineError if it could not be sent.
    virtual void request(Function function, std::int32_t argument) = 0;
    // Forgets the request that is on the line; no answer to it comes any more.
    virtual void cancel() noexcept = 0;
};

// Whoever uses the bus hears of these.
class Listener {
public:
    virtual ~Listener() = default;

    virtual void answered(Answer answer) = 0;
    virtual void happened(Event event) = 0;
    // A period of the timer of the bus is over.
    virtual void elapsed() = 0;
};

} // namespace fieldbus

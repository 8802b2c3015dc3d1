// The conversation with the bus: one request at a time, sent again while nobody answers.
#pragma once

#include <functional>
#include <optional>

#include "fieldbus.h"

enum class Outcome { Done, Rejected, Silent };

struct Patience {
    int collisions = 1; // how often a request is sent again at once
    int periods = 1;    // how often it is sent again when a period is over
};

class Link {
public:
    using Report = std::function<void(Outcome)>;

    Link(fieldbus::Bus &bus, Patience patience, Report report);
    Link(const Link &) = delete;
    Link &operator=(const Link &) = delete;
    ~Link();

    // Throws LineError if the request cannot be sent; then nothing is outstanding.
    void send(const fieldbus::Request &request);
    // What is outstanding is not waited for any more.
    void abandon() noexcept;

    void answered(fieldbus::Answer answer);
    void elapsed();

    bool waiting() const noexcept { return outstanding_.has_value(); }

private:
    void transmit();
    void finish(Outcome outcome);

    fieldbus::Bus &bus_;
    const Patience patience_;
    const Report report_;
    std::optional<fieldbus::Request> outstanding_;
    int periods_ = 0;
};

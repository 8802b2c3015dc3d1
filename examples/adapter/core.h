// What the states of the adapter work on, and how one follows the other.
#pragma once

#include <optional>

#include "axis.h"
#include "bounded_queue.h"
#include "fieldbus.h"
#include "link.h"
#include "motion.h"

class State;

class Core {
public:
    Core(fieldbus::Bus &bus, motion::Console &console, Settings settings, Patience patience);

    motion::Mode mode() const noexcept { return mode_; }
    const State &state() const noexcept { return *state_; }

    // Leaves the state for another one. Throws what the new state throws on its first request.
    void become(motion::Mode next);
    // Goes to Fault, or stays there with the first reason.
    void fail(motion::Reason reason);
    void tell_arrival(motion::Station station);

    // Why the drive is in Fault; asking clears it.
    std::optional<motion::Reason> take_reason();
    // As after power-up, whatever was before.
    void forget_drive();

    Link link;
    Axis axis;
    BoundedQueue<motion::Station, 1> waiting; // where to go afterwards

private:
    void finished(Outcome outcome);

    motion::Console &console_;
    motion::Mode mode_ = motion::Mode::Offline;
    const State *state_;
    std::optional<motion::Reason> reason_;
};

#include "core.h"

#include <utility>

#include "state.h"
#include "states.h"

using motion::Mode;
using motion::Reason;
using motion::Station;

namespace {

// A console that throws must not disturb what is agreed with the drive.
template <typename Notification>
void tell(const Notification &notification) noexcept {
    try {
        notification();
    } catch (...) {
    }
}

} // namespace

Core::Core(fieldbus::Bus &bus, motion::Console &console, Settings settings, Patience patience)
    : link(bus, patience, [this](Outcome outcome) { finished(outcome); }), axis(std::move(settings)),
      console_(console), state_(&state_of(mode_)) {}

void Core::become(Mode next) {
    state().leave(*this);
    mode_ = next;
    state_ = &state_of(next);
    tell([&] { console_.entered(next); });
    state().enter(*this);
}

void Core::fail(Reason reason) {
    if (mode_ == Mode::Fault)
        return;
    reason_ = reason;
    become(Mode::Fault);
    tell([&] { console_.failed(reason); });
}

void Core::tell_arrival(Station station) {
    tell([&] { console_.arrived(station); });
}

std::optional<Reason> Core::take_reason() {
    return std::exchange(reason_, std::nullopt);
}

void Core::forget_drive() {
    link.abandon();
    waiting.clear();
    axis.forget();
}

void Core::finished(Outcome outcome) {
    switch (outcome) {
    case Outcome::Done:
        state().done(*this);
        break;
    case Outcome::Rejected:
        state().rejected(*this);
        break;
    case Outcome::Silent:
        state().unanswered(*this);
        break;
    }
}

// The side of the bus.
#include "adapter.h"
#include "state.h"

using fieldbus::Answer;
using fieldbus::Event;
using fieldbus::LineError;
using motion::Mode;
using motion::Reason;

template <typename Action>
void DriveAdapter::signal(const Action &action) {
    const Processing processing(*this);
    try {
        action(core_);
    } catch (const LineError &) {
        line_failed();
    }
}

void DriveAdapter::answered(Answer answer) {
    signal([answer](Core &core) { core.link.answered(answer); });
}

void DriveAdapter::happened(Event event) {
    signal([event](Core &core) {
        switch (event) {
        case Event::Arrived:
            core.state().arrived(core);
            break;
        case Event::Overload:
            core.state().overload(core);
            break;
        case Event::LimitSwitch:
            core.state().limit_switch(core);
            break;
        }
    });
}

void DriveAdapter::elapsed() {
    signal([](Core &core) { core.link.elapsed(); });
}

// Whoever is without a line when closing is where it wants to be.
void DriveAdapter::line_failed() noexcept {
    if (core_.mode() == Mode::Closing)
        core_.become(Mode::Offline);
    else
        core_.fail(Reason::LineDown);
}

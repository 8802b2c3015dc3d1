#include "motion.h"

namespace motion {

std::string_view name(Mode mode) {
    switch (mode) {
    case Mode::Offline:
        return "offline";
    case Mode::Connecting:
        return "connecting";
    case Mode::Configuring:
        return "configuring";
    case Mode::Homing:
        return "homing";
    case Mode::Standby:
        return "standby";
    case Mode::Enabling:
        return "enabling";
    case Mode::Ready:
        return "ready";
    case Mode::Starting:
        return "starting";
    case Mode::Moving:
        return "moving";
    case Mode::Stopping:
        return "stopping";
    case Mode::Holding:
        return "holding";
    case Mode::Disabling:
        return "disabling";
    case Mode::Fault:
        return "fault";
    case Mode::Clearing:
        return "clearing";
    case Mode::Closing:
        return "closing";
    }
    return "?";
}

std::string_view name(Station station) {
    switch (station) {
    case Station::Load:
        return "load";
    case Station::Work:
        return "work";
    case Station::Park:
        return "park";
    }
    return "?";
}

std::string_view name(Reason reason) {
    switch (reason) {
    case Reason::LineDown:
        return "line down";
    case Reason::Silent:
        return "the drive does not answer";
    case Reason::Rejected:
        return "the drive rejects a request";
    case Reason::Overload:
        return "overload";
    case Reason::LimitSwitch:
        return "limit switch";
    case Reason::Interrupted:
        return "stopped before the reference was found";
    }
    return "?";
}

Reentered::Reentered(Mode mode)
    : std::logic_error("command from within a notification while " + std::string(name(mode))), mode_(mode) {}

} // namespace motion

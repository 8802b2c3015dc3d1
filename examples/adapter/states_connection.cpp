// Coming and going, and the trouble on the way.
#include "states.h"

using fieldbus::Function;
using fieldbus::LineError;
using fieldbus::Request;
using motion::Mode;
using motion::Reason;
using motion::Unavailable;
using motion::Verdict;

void Offline::enter(Core &core) const {
    core.forget_drive();
}

Verdict Offline::connect(Core &core) const {
    try {
        return start(core, Mode::Connecting);
    } catch (const LineError &error) {
        core.become(Mode::Offline);
        throw Unavailable(error.what());
    }
}

Request Connecting::question(const Core &) const {
    return {Function::Identify};
}

Verdict Connecting::disconnect(Core &core) const {
    return start(core, Mode::Offline);
}

void Connecting::done(Core &core) const {
    core.become(Mode::Configuring);
}

void Configuring::enter(Core &core) const {
    core.axis.begin_configuration();
    Asking::enter(core);
}

Request Configuring::question(const Core &core) const {
    return core.axis.next_parameter();
}

Verdict Configuring::disconnect(Core &core) const {
    return start(core, Mode::Offline);
}

void Configuring::done(Core &core) const {
    core.axis.parameter_written();
    if (core.axis.configured())
        core.become(Mode::Homing);
    else
        core.link.send(question(core));
}

Request Homing::question(const Core &) const {
    return {Function::Home};
}

Verdict Homing::stop(Core &core) const {
    return start(core, Mode::Stopping);
}

void Homing::done(Core &core) const {
    core.axis.found_reference();
    core.become(Mode::Standby);
}

void Homing::limit_switch(Core &) const {
    // The way to the reference leads over the switch.
}

Request Closing::question(const Core &) const {
    return {Function::Release};
}

void Closing::done(Core &core) const {
    core.become(Mode::Offline);
}

void Closing::rejected(Core &core) const {
    core.become(Mode::Offline);
}

void Closing::unanswered(Core &core) const {
    core.become(Mode::Offline);
}

void Fault::enter(Core &core) const {
    core.link.abandon();
    core.waiting.clear();
    // What was not brought to its end begins anew.
    if (core.axis.referenced())
        core.axis.give_up();
    else
        core.axis.forget();
}

Verdict Fault::disconnect(Core &core) const {
    core.take_reason();
    return start(core, Mode::Closing);
}

Verdict Fault::acknowledge(Core &core) const {
    const auto reason = core.take_reason();
    // Whether the drive still knows anything of us is not known.
    const bool lost = reason == Reason::LineDown || reason == Reason::Silent;
    return start(core, lost ? Mode::Offline : Mode::Clearing);
}

Request Clearing::question(const Core &) const {
    return {Function::ClearAlarm};
}

void Clearing::done(Core &core) const {
    // A drive that does not know where it is may have forgotten more than that.
    core.become(core.axis.referenced() ? Mode::Standby : Mode::Configuring);
}

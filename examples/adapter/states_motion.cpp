// Power and motion.
#include "states.h"

using fieldbus::Function;
using fieldbus::Request;
using motion::Mode;
using motion::Reason;
using motion::Station;
using motion::Verdict;

Verdict Standby::disconnect(Core &core) const {
    return start(core, Mode::Closing);
}

Verdict Standby::enable(Core &core) const {
    return start(core, Mode::Enabling);
}

Request Enabling::question(const Core &) const {
    return {Function::PowerOn};
}

Verdict Enabling::disable(Core &core) const {
    return start(core, Mode::Disabling);
}

void Enabling::done(Core &core) const {
    core.become(Mode::Ready);
}

Request Disabling::question(const Core &) const {
    return {Function::PowerOff};
}

void Disabling::done(Core &core) const {
    core.become(Mode::Standby);
}

Verdict Ready::disable(Core &core) const {
    return start(core, Mode::Disabling);
}

Verdict Ready::move_to(Core &core, Station station) const {
    core.axis.aim(station);
    return start(core, Mode::Starting);
}

Request Starting::question(const Core &core) const {
    return core.axis.target();
}

Verdict Starting::stop(Core &core) const {
    core.axis.give_up();
    return start(core, Mode::Stopping);
}

void Starting::done(Core &core) const {
    core.become(Mode::Moving);
}

Verdict Moving::move_to(Core &core, Station station) const {
    return core.waiting.push(station) ? Verdict::Queued : Verdict::Refused;
}

Verdict Moving::hold(Core &core) const {
    // The target stays: it is where to go afterwards.
    core.waiting.clear();
    return start(core, Mode::Stopping);
}

Verdict Moving::stop(Core &core) const {
    core.axis.give_up();
    core.waiting.clear();
    return start(core, Mode::Stopping);
}

void Moving::arrived(Core &core) const {
    core.tell_arrival(core.axis.reach());
    if (const auto next = core.waiting.pop()) {
        core.axis.aim(*next);
        core.become(Mode::Starting);
    } else {
        core.become(Mode::Ready);
    }
}

Request Stopping::question(const Core &) const {
    return {Function::Halt};
}

Verdict Stopping::stop(Core &core) const {
    // It stops already, but shall not go on afterwards.
    core.axis.give_up();
    return Verdict::Started;
}

void Stopping::done(Core &core) const {
    if (!core.axis.referenced())
        core.fail(Reason::Interrupted);
    else
        core.become(core.axis.aimed() ? Mode::Holding : Mode::Ready);
}

Verdict Holding::disable(Core &core) const {
    core.axis.give_up();
    return start(core, Mode::Disabling);
}

Verdict Holding::resume(Core &core) const {
    return start(core, Mode::Starting);
}

Verdict Holding::stop(Core &core) const {
    core.axis.give_up();
    return start(core, Mode::Ready);
}

#include "state.h"

using motion::Mode;
using motion::Reason;
using motion::Station;
using motion::Verdict;

namespace {


// Behind the switch the drive has lost its way.
void run_into_switch(Core &core) {
    core.axis.lost_reference();
    core.fail(Reason::LimitSwitch);
}

} // namespace

void State::enter(Core &) const {}

void State::leave(Core &) const {}

Verdict State::connect(Core &) const {
    return Verdict::Refused;
}

Verdict State::disconnect(Core &) const {
    return Verdict::Refused;
}

Verdict State::enable(Core &) const {
    return Verdict::Refused;
}

Verdict State::disable(Core &) const {
    return Verdict::Refused;
}

Verdict State::move_to(Core &, Station) const {
    return Verdict::Refused;
}

Verdict State::hold(Core &) const {
    return Verdict::Refused;
}

Verdict State::resume(Core &) const {
    return Verdict::Refused;
}

Verdict State::stop(Core &) const {
    return Verdict::Refused;
}

Verdict State::acknowledge(Core &) const {
    return Verdict::Refused;
}

void State::done(Core &) const {}

void State::rejected(Core &) const {}

void State::unanswered(Core &) const {}

void State::arrived(Core &) const {}

void State::overload(Core &) const {}

void State::limit_switch(Core &) const {}

Verdict State::start(Core &core, Mode next) {
    core.become(next);
    return Verdict::Started;
}

void Asking::enter(Core &core) const {
    core.link.send(question(core));
}

void Asking::rejected(Core &core) const {
    core.fail(Reason::Rejected);
}

void Asking::unanswered(Core &core) const {
    core.fail(Reason::Silent);
}

void AskingUnderPower::overload(Core &core) const {
    core.fail(Reason::Overload);
}

void AskingUnderPower::limit_switch(Core &core) const {
    run_into_switch(core);
}

void Powered::overload(Core &core) const {
    core.fail(Reason::Overload);
}

void Powered::limit_switch(Core &core) const {
    run_into_switch(core);
}

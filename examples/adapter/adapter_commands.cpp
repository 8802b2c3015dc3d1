// The side of the components.
#include "adapter.h"
#include "state.h"

using fieldbus::LineError;
using motion::Mode;
using motion::Reentered;
using motion::Station;
using motion::Verdict;

DriveAdapter::DriveAdapter(fieldbus::Bus &bus, motion::Console &console)
    : core_(bus, console, Settings::standard(), Patience{}) {}

DriveAdapter::Processing::Processing(DriveAdapter &adapter) : adapter_(adapter) {
    if (adapter_.processing_)
        throw Reentered(adapter_.mode());
    adapter_.processing_ = true;
}

DriveAdapter::Processing::~Processing() {
    adapter_.processing_ = false;
}

template <typename Action>
Verdict DriveAdapter::command(const Action &action) {
    const Processing processing(*this);
    try {
        return action(core_.state(), core_);
    } catch (const LineError &) {
        line_failed();
        return Verdict::Failed;
    }
}

Verdict DriveAdapter::connect() {
    return command([](const State &state, Core &core) { return state.connect(core); });
}

Verdict DriveAdapter::disconnect() {
    return command([](const State &state, Core &core) { return state.disconnect(core); });
}

Verdict DriveAdapter::enable() {
    return command([](const State &state, Core &core) { return state.enable(core); });
}

Verdict DriveAdapter::disable() {
    return command([](const State &state, Core &core) { return state.disable(core); });
}

Verdict DriveAdapter::move_to(Station station) {
    return command([station](const State &state, Core &core) { return state.move_to(core, station); });
}

Verdict DriveAdapter::hold() {
    return command([](const State &state, Core &core) { return state.hold(core); });
}

Verdict DriveAdapter::resume() {
    return command([](const State &state, Core &core) { return state.resume(core); });
}

Verdict DriveAdapter::stop() {
    return command([](const State &state, Core &core) { return state.stop(core); });
}

Verdict DriveAdapter::acknowledge() {
    return command([](const State &state, Core &core) { return state.acknowledge(core); });
}

Mode DriveAdapter::mode() const noexcept {
    return core_.mode();
}

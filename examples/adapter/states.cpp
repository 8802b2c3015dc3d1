#include "states.h"

#include <array>
#include <cstddef>

namespace {

const Offline offline;
const Connecting connecting;
const Configuring configuring;
const Homing homing;
const Standby standby;
const Enabling enabling;
const Ready ready;
const Starting starting;
const Moving moving;
const Stopping stopping;
const Holding holding;
const Disabling disabling;
const Fault fault;
const Clearing clearing;
const Closing closing;

// In the order of motion::Mode.
const std::array<const State *, motion::modes> all{
    &offline, &connecting, &configuring, &homing,  &standby,   &enabling, &ready,    &starting,
    &moving,  &stopping,   &holding,     &disabling, &fault, &clearing, &closing,
};

} // namespace

const State &state_of(motion::Mode mode) {
    return *all[static_cast<std::size_t>(mode)];
}

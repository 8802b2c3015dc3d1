#include "axis.h"

#include <stdexcept>
#include <utility>

using fieldbus::Function;
using fieldbus::Request;
using motion::Station;

namespace {

constexpr std::uint8_t fastest = 0x01;
constexpr std::uint8_t steepest = 0x02;

constexpr std::size_t place_of(Station station) {
    return static_cast<std::size_t>(station);
}

} // namespace

std::int32_t Parameter::packed() const {
    return static_cast<std::int32_t>(id) << 16 | static_cast<std::uint16_t>(value);
}

Settings Settings::standard() {
    Settings settings;
    settings.parameters.push_back({fastest, 1200});
    settings.parameters.push_back({steepest, 300});
    settings.positions[place_of(Station::Load)] = 0;
    settings.positions[place_of(Station::Work)] = 4000;
    settings.positions[place_of(Station::Park)] = -250;
    return settings;
}

Axis::Axis(Settings settings) : settings_(std::move(settings)) {}

void Axis::forget() noexcept {
    begin_configuration();
    lost_reference();
    give_up();
}

Request Axis::next_parameter() const {
    return {Function::WriteParameter, settings_.parameters.at(configured_).packed()};
}

Request Axis::target() const {
    if (!target_)
        throw std::logic_error("there is no target");
    return {Function::SetTarget, settings_.positions[place_of(*target_)]};
}

Station Axis::reach() {
    const Station reached = target_.value();
    target_.reset();
    return reached;
}

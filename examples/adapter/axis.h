// What is known of the drive: its parameters, whether it knows where it is, and where it is to go.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "fieldbus.h"
#include "motion.h"

struct Parameter {
    std::uint8_t id;
    std::int16_t value;

    // As the drive takes it: the number in the upper half, the value in the lower one.
    std::int32_t packed() const;
};

struct Settings {
    std::vector<Parameter> parameters;
    std::array<std::int32_t, motion::stations> positions; // in steps from the reference

    static Settings standard();
};

class Axis {
public:
    explicit Axis(Settings settings);

    // As after power-up.
    void forget() noexcept;

    // Configuration goes parameter by parameter.
    void begin_configuration() noexcept { configured_ = 0; }
    bool configured() const noexcept { return configured_ == settings_.parameters.size(); }
    fieldbus::Request next_parameter() const;
    void parameter_written() noexcept { ++configured_; }

    bool referenced() const noexcept { return referenced_; }
    void found_reference() noexcept { referenced_ = true; }
    void lost_reference() noexcept { referenced_ = false; }

    void aim(motion::Station station) noexcept { target_ = station; }
    void give_up() noexcept { target_.reset(); }
    bool aimed() const noexcept { return target_.has_value(); }
    fieldbus::Request target() const;
    // The station that was reached; there must be a target.
    motion::Station reach();

private:
    const Settings settings_;
    std::size_t configured_ = 0;
    bool referenced_ = false;
    std::optional<motion::Station> target_;
};

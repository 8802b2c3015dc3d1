// Stands between components that command a drive and a drive that is reached over a field bus.
//
// Components call and are answered at once, by what a command returns; what becomes of it the console hears later. The bus
// calls when the drive has something to say, and is never told that it came at a bad time. Each call is processed to its
// end before the next one; a console that calls from within a notification is refused.
#pragma once

#include "core.h"
#include "fieldbus.h"
#include "motion.h"

class State;

class DriveAdapter final : public motion::Drive, public fieldbus::Listener {
public:
    DriveAdapter(fieldbus::Bus &bus, motion::Console &console);

    motion::Verdict connect() override;
    motion::Verdict disconnect() override;
    motion::Verdict enable() override;
    motion::Verdict disable() override;
    motion::Verdict move_to(motion::Station station) override;
    motion::Verdict hold() override;
    motion::Verdict resume() override;
    motion::Verdict stop() override;
    motion::Verdict acknowledge() override;
    motion::Mode mode() const noexcept override;

    void answered(fieldbus::Answer answer) override;
    void happened(fieldbus::Event event) override;
    void elapsed() override;

private:
    // Marks that a call is processed, for as long as it lives.
    class Processing {
    public:
        explicit Processing(DriveAdapter &adapter);
        Processing(const Processing &) = delete;
        Processing &operator=(const Processing &) = delete;
        ~Processing();

    private:
        DriveAdapter &adapter_;
    };

    template <typename Action>
    motion::Verdict command(const Action &action);
    template <typename Action>
    void signal(const Action &action);
    void line_failed() noexcept;

    Core core_;
    bool processing_ = false;
};

// The fifteen states of the adapter, one for each mode.
#pragma once

#include "state.h"

const State &state_of(motion::Mode mode);

// Coming and going.

class Offline final : public State {
public:
    void enter(Core &core) const override;
    motion::Verdict connect(Core &core) const override;
};

class Connecting final : public Asking {
public:
    motion::Verdict disconnect(Core &core) const override;
    void done(Core &core) const override;

protected:
    fieldbus::Request question(const Core &core) const override;
};

class Configuring final : public Asking {
public:
    void enter(Core &core) const override;
    motion::Verdict disconnect(Core &core) const override;
    void done(Core &core) const override;

protected:
    fieldbus::Request question(const Core &core) const override;
};

class Homing final : public AskingUnderPower {
public:
    motion::Verdict stop(Core &core) const override;
    void done(Core &core) const override;
    void limit_switch(Core &core) const override;

protected:
    fieldbus::Request question(const Core &core) const override;
};

class Closing final : public Asking {
public:
    void done(Core &core) const override;
    void rejected(Core &core) const override;
    void unanswered(Core &core) const override;

protected:
    fieldbus::Request question(const Core &core) const override;
};

// Power.

class Standby final : public State {
public:
    motion::Verdict disconnect(Core &core) const override;
    motion::Verdict enable(Core &core) const override;
};

class Enabling final : public AskingUnderPower {
public:
    motion::Verdict disable(Core &core) const override;
    void done(Core &core) const override;

protected:
    fieldbus::Request question(const Core &core) const override;
};

class Disabling final : public AskingUnderPower {
public:
    void done(Core &core) const override;

protected:
    fieldbus::Request question(const Core &core) const override;
};

// Motion.

class Ready final : public Powered {
public:
    motion::Verdict disable(Core &core) const override;
    motion::Verdict move_to(Core &core, motion::Station station) const override;
};

class Starting final : public AskingUnderPower {
public:
    motion::Verdict stop(Core &core) const override;
    void done(Core &core) const override;

protected:
    fieldbus::Request question(const Core &core) const override;
};

class Moving final : public Powered {
public:
    motion::Verdict move_to(Core &core, motion::Station station) const override;
    motion::Verdict hold(Core &core) const override;
    motion::Verdict stop(Core &core) const override;
    void arrived(Core &core) const override;
};

class Stopping final : public AskingUnderPower {
public:
    motion::Verdict stop(Core &core) const override;
    void done(Core &core) const override;

protected:
    fieldbus::Request question(const Core &core) const override;
};

class Holding final : public Powered {
public:
    motion::Verdict disable(Core &core) const override;
    motion::Verdict resume(Core &core) const override;
    motion::Verdict stop(Core &core) const override;
};

// Trouble.

class Fault final : public State {
public:
    void enter(Core &core) const override;
    motion::Verdict disconnect(Core &core) const override;
    motion::Verdict acknowledge(Core &core) const override;
};

class Clearing final : public Asking {
public:
    void done(Core &core) const override;

protected:
    fieldbus::Request question(const Core &core) const override;
};

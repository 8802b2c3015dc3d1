// What every state answers to. A state has no data: all of them are shared.
#pragma once

#include "core.h"
#include "fieldbus.h"
#include "motion.h"

class State {
public:
    constexpr State() = default;
    State(const State &) = delete;
    State &operator=(const State &) = delete;
    virtual ~State() = default;

    virtual void enter(Core &core) const;
    virtual void leave(Core &core) const;

    // Commands of the new side: what a state does not know, it refuses.
    virtual motion::Verdict connect(Core &core) const;
    virtual motion::Verdict disconnect(Core &core) const;
    virtual motion::Verdict enable(Core &core) const;
    virtual motion::Verdict disable(Core &core) const;
    virtual motion::Verdict move_to(Core &core, motion::Station station) const;
    virtual motion::Verdict hold(Core &core) const;
    virtual motion::Verdict resume(Core &core) const;
    virtual motion::Verdict stop(Core &core) const;
    virtual motion::Verdict acknowledge(Core &core) const;

    // Signals of the old side: what a state does not expect, it ignores.
    virtual void done(Core &core) const;
    virtual void rejected(Core &core) const;
    virtual void unanswered(Core &core) const;
    virtual void arrived(Core &core) const;
    virtual void overload(Core &core) const;
    virtual void limit_switch(Core &core) const;

protected:
    // Becomes another state on behalf of a command.
    static motion::Verdict start(Core &core, motion::Mode next);
};

// A state that begins with a request to the drive and ends with its answer.
class Asking : public State {
public:
    void enter(Core &core) const override;
    void done(Core &core) const override = 0;
    void rejected(Core &core) const override;
    void unanswered(Core &core) const override;

protected:
    virtual fieldbus::Request question(const Core &core) const = 0;
};

// The same while the drive has power: it may be overloaded, and reach the end of its way.
class AskingUnderPower : public Asking {
public:
    void overload(Core &core) const override;
    void limit_switch(Core &core) const override;
};

// A state with power in which nothing is asked.
class Powered : public State {
public:
    void overload(Core &core) const override;
    void limit_switch(Core &core) const override;
};

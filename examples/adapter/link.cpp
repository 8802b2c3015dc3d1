#include "link.h"

#include <utility>

using fieldbus::Answer;
using fieldbus::Collision;
using fieldbus::LineError;
using fieldbus::Request;

Link::Link(fieldbus::Bus &bus, Patience patience, Report report)
    : bus_(bus), patience_(patience), report_(std::move(report)) {}

Link::~Link() {
    abandon();
}

void Link::send(const Request &request) {
    abandon();
    outstanding_ = request;
    transmit();
}

void Link::abandon() noexcept {
    if (!waiting())
        return;
    outstanding_.reset();
    periods_ = 0;
    bus_.cancel();
}

void Link::answered(Answer answer) {
    // An answer to what was abandoned may still have been on its way.
    if (!waiting())
        return;
    switch (answer) {
    case Answer::Done:
        finish(Outcome::Done);
        break;
    case Answer::Busy:
        // It lives: the patience begins anew.
        periods_ = 0;
        break;
    case Answer::Rejected:
        finish(Outcome::Rejected);
        break;
    }
}

void Link::elapsed() {
    if (!waiting())
        return;
    if (periods_ == patience_.periods) {
        bus_.cancel();
        finish(Outcome::Silent);
        return;
    }
    ++periods_;
    transmit();
}

void Link::transmit() {
    for (int tries = 0;; ++tries) {
        try {
            bus_.request(outstanding_->function, outstanding_->argument);
            return;
        } catch (const Collision &) {
            if (tries < patience_.collisions)
                continue;
            outstanding_.reset();
            periods_ = 0;
            throw;
        } catch (const LineError &) {
            outstanding_.reset();
            periods_ = 0;
            throw;
        }
    }
}

void Link::finish(Outcome outcome) {
    // Whoever hears of it may send the next request.
    outstanding_.reset();
    periods_ = 0;
    report_(outcome);
}

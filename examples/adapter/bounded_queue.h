// A first-in, first-out queue with a fixed number of places and no memory of its own elsewhere.
#pragma once

#include <array>
#include <cstddef>
#include <optional>

template <typename T, std::size_t Capacity>
class BoundedQueue {
    static_assert(Capacity > 0, "a queue has at least one place");

public:
    // False if there is no place left.
    bool push(const T &value) {
        if (full())
            return false;
        places_[size_] = value;
        ++size_;
        return true;
    }

    std::optional<T> pop() {
        if (empty())
            return std::nullopt;
        const T first = places_[0];
        for (std::size_t i = 1; i < size_; ++i)
            places_[i - 1] = places_[i];
        --size_;
        places_[size_] = T();
        return first;
    }

    void clear() {
        while (size_ > 0)
            places_[--size_] = T();
    }

    bool empty() const { return size_ == 0; }
    bool full() const { return size_ == Capacity; }
    std::size_t size() const { return size_; }

private:
    std::array<T, Capacity> places_{};
    std::size_t size_ = 0;
};

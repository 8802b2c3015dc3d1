/* `bind` and `bind_front`: functions with some of their arguments. */
#ifndef STATEGLASS_BINDING_H
#define STATEGLASS_BINDING_H

#include <tuple>

namespace std {

namespace inside {
template <int Number> struct placeholder {};

template <class Function, class... Bound> class binding {
    Function called;
    tuple<Bound...> bound;

    /* What a bound argument stands for in a call. */
    template <class T, class Given> static constexpr T &chosen(T &value, Given &) { return value; }
    template <class T, class Given> static constexpr T &chosen(reference_wrapper<T> &value, Given &) { return value.get(); }
    template <int Number, class Given> static constexpr decltype(auto) chosen(placeholder<Number> &, Given &given) {
        return std::get<Number - 1>(std::move(given));
    }
    template <class F, class... B, class... Given>
    static constexpr decltype(auto) chosen(binding<F, B...> &inner, tuple<Given...> &given) {
        return std::apply(inner, given);
    }
    template <class Given, size_t... Index> decltype(auto) call(Given given, index_sequence<Index...>) {
        return std::invoke(called, chosen(std::get<Index>(bound), given)...);
    }

public:
    template <class F, class... B>
    explicit binding(in_place_t, F &&function, B &&...values)
        : called(std::forward<F>(function)), bound(std::forward<B>(values)...) {}
    template <class... Arguments> decltype(auto) operator()(Arguments &&...arguments) {
        return call(std::forward_as_tuple(std::forward<Arguments>(arguments)...), index_sequence_for<Bound...>());
    }
};
}

namespace placeholders {
inline constexpr inside::placeholder<1> _1{};
inline constexpr inside::placeholder<2> _2{};
inline constexpr inside::placeholder<3> _3{};
inline constexpr inside::placeholder<4> _4{};
inline constexpr inside::placeholder<5> _5{};
inline constexpr inside::placeholder<6> _6{};
}

template <class Function, class... Bound> auto bind(Function &&function, Bound &&...values) {
    return inside::binding<decay_t<Function>, decay_t<Bound>...>(
        in_place, std::forward<Function>(function), std::forward<Bound>(values)...);
}

template <class Function, class... Bound> constexpr auto bind_front(Function &&function, Bound &&...values) {
    return [called = decay_t<Function>(std::forward<Function>(function)),
            bound = tuple<decay_t<Bound>...>(std::forward<Bound>(values)...)](auto &&...arguments) mutable -> decltype(auto) {
        return std::apply(
            [&](auto &...given) -> decltype(auto) {
                return std::invoke(called, given..., std::forward<decltype(arguments)>(arguments)...);
            },
            bound);
    };
}

}

#endif

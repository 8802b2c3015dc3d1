/* Operators as objects. */
#ifndef STATEGLASS_CPLUSPLUS_OPERATORS
#define STATEGLASS_CPLUSPLUS_OPERATORS

#include <utility>

namespace std {

#define STATEGLASS_OPERATOR(name, result, expression) \
    template <class T = void> struct name { \
        constexpr result operator()(const T &x, const T &y) const { return expression; } \
    }; \
    template <> struct name<void> { \
        using is_transparent = void; \
        template <class A, class B> constexpr auto operator()(const A &x, const B &y) const { return expression; } \
    };
STATEGLASS_OPERATOR(plus, T, x + y)
STATEGLASS_OPERATOR(minus, T, x - y)
STATEGLASS_OPERATOR(multiplies, T, x *y)
STATEGLASS_OPERATOR(divides, T, x / y)
STATEGLASS_OPERATOR(modulus, T, x % y)
STATEGLASS_OPERATOR(bit_and, T, x &y)
STATEGLASS_OPERATOR(bit_or, T, x | y)
STATEGLASS_OPERATOR(bit_xor, T, x ^ y)
STATEGLASS_OPERATOR(equal_to, bool, x == y)
STATEGLASS_OPERATOR(not_equal_to, bool, x != y)
STATEGLASS_OPERATOR(less, bool, x < y)
STATEGLASS_OPERATOR(greater, bool, x > y)
STATEGLASS_OPERATOR(less_equal, bool, x <= y)
STATEGLASS_OPERATOR(greater_equal, bool, x >= y)
STATEGLASS_OPERATOR(logical_and, bool, x &&y)
STATEGLASS_OPERATOR(logical_or, bool, x || y)
#undef STATEGLASS_OPERATOR

#define STATEGLASS_OPERATOR(name, result, expression) \
    template <class T = void> struct name { \
        constexpr result operator()(const T &x) const { return expression; } \
    }; \
    template <> struct name<void> { \
        using is_transparent = void; \
        template <class A> constexpr auto operator()(const A &x) const { return expression; } \
    };
STATEGLASS_OPERATOR(negate, T, -x)
STATEGLASS_OPERATOR(logical_not, bool, !x)
STATEGLASS_OPERATOR(bit_not, T, ~x)
#undef STATEGLASS_OPERATOR
struct identity {
    template <class T> constexpr T &&operator()(T &&x) const noexcept { return std::forward<T>(x); }
};

}

#endif

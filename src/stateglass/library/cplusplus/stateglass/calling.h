/* Calls of functions, of members, and of what refers to them. */
#ifndef STATEGLASS_CALLING_H
#define STATEGLASS_CALLING_H

#include <type_traits>
#include <utility>

namespace std {

namespace inside {
template <class Object> struct is_wrapper : false_type {};
template <class T> struct is_wrapper<reference_wrapper<T>> : true_type {};

template <class Class, class Object> constexpr decltype(auto) object_for(Object &&object) {
    if constexpr (is_base_of<Class, remove_cvref_t<Object>>::value)
        return (std::forward<Object>(object));
    else if constexpr (is_wrapper<remove_cvref_t<Object>>::value)
        return (object.get());
    else
        return (*object);
}
}

template <class Result, class Class, class Object, class... Arguments>
constexpr decltype(auto) invoke(Result Class::*member, Object &&object, Arguments &&...arguments) {
    if constexpr (is_function<Result>::value)
        return (inside::object_for<Class>(object).*member)(std::forward<Arguments>(arguments)...);
    else
        return (inside::object_for<Class>(object).*member);
}
template <class Function, class... Arguments>
constexpr enable_if_t<!is_member_pointer<decay_t<Function>>::value, decltype(declval<Function>()(declval<Arguments>()...))>
invoke(Function &&function, Arguments &&...arguments) {
    return std::forward<Function>(function)(std::forward<Arguments>(arguments)...);
}

template <class T> class reference_wrapper {
    T *object;

public:
    using type = T;
    constexpr reference_wrapper(T &given) noexcept : object(__builtin_addressof(given)) {}
    reference_wrapper(T &&) = delete;
    constexpr operator T &() const noexcept { return *object; }
    constexpr T &get() const noexcept { return *object; }
    template <class... Arguments> constexpr decltype(auto) operator()(Arguments &&...arguments) const {
        return std::invoke(*object, std::forward<Arguments>(arguments)...);
    }
};
template <class T> constexpr reference_wrapper<T> ref(T &object) noexcept { return reference_wrapper<T>(object); }
template <class T> constexpr reference_wrapper<const T> cref(const T &object) noexcept {
    return reference_wrapper<const T>(object);
}
template <class T> void ref(const T &&) = delete;
template <class T> void cref(const T &&) = delete;

}

#endif

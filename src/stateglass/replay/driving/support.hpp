/* What the parts of a driver for C++ share; it stands behind the code, in the same file. */
#ifndef STATEGLASS_SUPPORT_HPP
#define STATEGLASS_SUPPORT_HPP

#include "runtime.h"

#include <cxxabi.h>
#include <new>
#include <type_traits>
#include <typeinfo>
#include <utility>

/* Which of the types that the run names the exception at hand has; -1: none of them. */
extern "C" int sg_thrown_type(const void *type);

/* Types whose names cannot stand where they are needed: pointers to functions, arrays and so on. */
template <class T> using sg_type = T;

template <class T> sg_bits sg_bits_of(T value)
{
    if constexpr (std::is_same_v<T, float>)
        return sg_float_bits(value);
    else if constexpr (std::is_same_v<T, double>)
        return sg_double_bits(value);
    else if constexpr (std::is_pointer_v<T>)
        return reinterpret_cast<__UINTPTR_TYPE__>(value);
    else if constexpr (std::is_enum_v<T>)
        return sg_bits_of(static_cast<std::underlying_type_t<T>>(value));
    else if constexpr (std::is_null_pointer_v<T>)
        return 0;
    else if constexpr (std::is_signed_v<T>)
        return static_cast<sg_bits>(static_cast<sg_signed>(value));
    else
        return static_cast<sg_bits>(value);
}

template <class T> T sg_as(sg_bits bits)
{
    using Plain = std::remove_cv_t<T>;
    if constexpr (std::is_reference_v<T>)
        return static_cast<T>(*reinterpret_cast<std::remove_reference_t<T> *>(static_cast<__UINTPTR_TYPE__>(bits)));
    else if constexpr (std::is_pointer_v<T>)
        return reinterpret_cast<T>(static_cast<__UINTPTR_TYPE__>(bits));
    else if constexpr (std::is_same_v<Plain, float>)
        return sg_bits_float(bits);
    else if constexpr (std::is_same_v<Plain, double>)
        return sg_bits_double(bits);
    else if constexpr (std::is_null_pointer_v<T>)
        return nullptr;
    else if constexpr (std::is_class_v<T> || std::is_union_v<T>)
        return *reinterpret_cast<T *>(static_cast<__UINTPTR_TYPE__>(bits));
    else
        return static_cast<T>(bits);
}

/* An argument that a double is given: what is no scalar by its address. */
template <class T> sg_bits sg_passed(std::remove_reference_t<T> &value)
{
    if constexpr (std::is_reference_v<T> || !std::is_scalar_v<T>)
        return reinterpret_cast<__UINTPTR_TYPE__>(&value);
    else
        return sg_bits_of(value);
}

/* The object that a function has returned last; whether somebody destroys it is as in the run. */
template <class T, int Function> T *sg_room()
{
    alignas(T) static char room[sizeof(T)];
    return reinterpret_cast<T *>(room);
}

/* Calls a function, and tells what comes of it. */
template <int Function, bool Destroys, class Call> void sg_tell(Call call)
{
    using Result = decltype(call());
    int has_value = 0;
    sg_bits value = 0;
    try {
        if constexpr (std::is_void_v<Result>) {
            call();
        } else if constexpr (std::is_reference_v<Result>) {
            has_value = 1;
            value = sg_bits_of(&call());
        } else if constexpr (std::is_scalar_v<Result> && !std::is_member_pointer_v<Result>) {
            has_value = 1;
            value = sg_bits_of(call());
        } else {
            new (sg_room<std::remove_cv_t<Result>, Function>()) std::remove_cv_t<Result>(call());
        }
    } catch (...) {
        const std::type_info *type = abi::__cxa_current_exception_type();
        int status = 0;
        char *name = abi::__cxa_demangle(type->name(), nullptr, nullptr, &status);
        sg_threw(Function, sg_thrown_type(type), name ? name : type->name());
        return;
    }
    sg_returned(Function, has_value, value);
    if constexpr (Destroys) {
        using Object = std::remove_cv_t<Result>;
        sg_room<Object, Function>()->~Object();
    }
}

/* Throws what a function outside throws in the run: an object that is made of nothing. */
template <class T> [[noreturn]] void sg_throw_one()
{
    if constexpr (std::is_default_constructible_v<T>) {
        throw T();
    } else if constexpr (std::is_constructible_v<T, const char *>) {
        throw T("");
    } else {
        alignas(T) static char nothing[sizeof(T)];
        throw *reinterpret_cast<T *>(nothing);
    }
}

#endif

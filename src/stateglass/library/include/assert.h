/* Assertions: one that fails is `error(assertion)`. May be included again with another NDEBUG. */
#include <stateglass/features.h>

#undef assert
#ifdef NDEBUG
#define assert(expression) ((void)0)
#else
#define assert(expression) \
    ((expression) ? (void)0 : __assert_fail(#expression, __FILE__, __LINE__, __extension__ __func__))
#endif

#ifndef STATEGLASS_ASSERT_H
#define STATEGLASS_ASSERT_H

#ifdef __cplusplus
extern "C" {
#endif

STATEGLASS_NO_RETURN void __assert_fail(
    const char *assertion, const char *file, unsigned int line, const char *function);

#if !defined __cplusplus && (!defined __STDC_VERSION__ || __STDC_VERSION__ < 202311L)
#define static_assert _Static_assert
#endif

#ifdef __cplusplus
}
#endif

#endif

/* Which names the headers of the library show, by the usual feature-test macros. */
#ifndef STATEGLASS_FEATURES_H
#define STATEGLASS_FEATURES_H

#if !defined __STRICT_ANSI__ || defined _POSIX_SOURCE || defined _POSIX_C_SOURCE || defined _XOPEN_SOURCE || \
    defined _GNU_SOURCE || defined _DEFAULT_SOURCE || defined _BSD_SOURCE || defined _SVID_SOURCE
#define STATEGLASS_POSIX 1
#endif

#if !defined __STRICT_ANSI__ || defined _GNU_SOURCE || defined _DEFAULT_SOURCE || defined _BSD_SOURCE
#define STATEGLASS_BSD 1
#endif

#ifdef _GNU_SOURCE
#define STATEGLASS_GNU 1
#endif

#if defined _GNU_SOURCE || defined _LARGEFILE64_SOURCE
#define STATEGLASS_LARGE_FILES 1
#endif

#define STATEGLASS_NO_RETURN __attribute__((__noreturn__))

#endif

/* Types of system calls, as wide as Linux has them on the target. */
#ifndef STATEGLASS_SYS_TYPES_H
#define STATEGLASS_SYS_TYPES_H

#include <stateglass/features.h>
#include <stdint.h>
#define __need_size_t
#include <stddef.h>

typedef __PTRDIFF_TYPE__ ssize_t;
typedef long off_t;
typedef long long loff_t;
typedef long time_t;
typedef long suseconds_t;
typedef unsigned int useconds_t;
typedef long clock_t;
typedef int clockid_t;
typedef void *timer_t;
typedef int pid_t;
typedef unsigned int uid_t;
typedef unsigned int gid_t;
typedef unsigned int id_t;
typedef unsigned int mode_t;
typedef unsigned long dev_t;
typedef unsigned long ino_t;
typedef unsigned long nlink_t;
typedef long blksize_t;
typedef long blkcnt_t;
typedef unsigned long fsblkcnt_t;
typedef unsigned long fsfilcnt_t;
typedef int key_t;
typedef unsigned long pthread_t;
typedef unsigned int pthread_key_t;

#ifdef STATEGLASS_LARGE_FILES
typedef __INT64_TYPE__ off64_t;
typedef __UINT64_TYPE__ ino64_t;
typedef __INT64_TYPE__ blkcnt64_t;
#endif

#ifdef STATEGLASS_BSD
typedef unsigned char u_char;
typedef unsigned short u_short;
typedef unsigned int u_int;
typedef unsigned long u_long;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef char *caddr_t;
typedef int32_t daddr_t;
typedef uint8_t u_int8_t;
typedef uint16_t u_int16_t;
typedef uint32_t u_int32_t;
typedef uint64_t u_int64_t;
typedef __INTPTR_TYPE__ register_t;
#include <endian.h>
#include <sys/select.h>
#endif

#endif

/* Jumps out of functions: declared, so that files can be read; code that uses them is not supported. */
#ifndef STATEGLASS_SETJMP_H
#define STATEGLASS_SETJMP_H

#ifdef __cplusplus
extern "C" {
#endif

#include <stateglass/features.h>

typedef struct {
    void *place;
} jmp_buf[1];

int setjmp(jmp_buf buffer) __attribute__((__returns_twice__));
STATEGLASS_NO_RETURN void longjmp(jmp_buf buffer, int value);
#define setjmp(buffer) setjmp(buffer)

#ifdef STATEGLASS_POSIX
typedef jmp_buf sigjmp_buf;
int _setjmp(jmp_buf buffer) __attribute__((__returns_twice__));
int sigsetjmp(sigjmp_buf buffer, int mask) __attribute__((__returns_twice__));
STATEGLASS_NO_RETURN void _longjmp(jmp_buf buffer, int value);
STATEGLASS_NO_RETURN void siglongjmp(sigjmp_buf buffer, int value);
#endif

#ifdef __cplusplus
}
#endif

#endif

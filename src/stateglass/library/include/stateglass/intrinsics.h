/* What the library asks of the machine that runs it: these functions have no body in C. */
#ifndef STATEGLASS_INTRINSICS_H
#define STATEGLASS_INTRINSICS_H

#ifdef __cplusplus
extern "C" {
#endif

/* Copies bytes as they are, uninitialised ones and padding included; the two areas may overlap. */
void __stateglass_copy(void *to, const void *from, __SIZE_TYPE__ n);

/* The same, but the areas must not overlap, unless they are one and the same: compilers copy records so. */
void __stateglass_copy_apart(void *to, const void *from, __SIZE_TYPE__ n);

/* Two areas must not overlap, or it is an error. */
void __stateglass_apart(const void *one, __SIZE_TYPE__ n, const void *other, __SIZE_TYPE__ m);

/* A new object of n bytes in the pool, or a null pointer if there is no room. */
void *__stateglass_allocate(__SIZE_TYPE__ n);

/* Ends the life of an object of the pool. */
void __stateglass_release(void *p);

/* How many bytes were asked for when the object was made. */
__SIZE_TYPE__ __stateglass_allocated(const void *p);

/* Says, with a string literal, that what comes here is not supported. */
void __stateglass_refuse(const char *what);

/* Leaves out every run in which the condition is zero. */
void __stateglass_assume(int condition);

#ifdef __cplusplus
}
#endif

#endif

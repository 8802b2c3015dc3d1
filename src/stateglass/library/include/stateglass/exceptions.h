/* How exceptions of C++ are thrown and caught. The front end emits calls of these functions. */
#ifndef STATEGLASS_EXCEPTIONS_H
#define STATEGLASS_EXCEPTIONS_H

#ifdef __cplusplus
extern "C" {
#endif

/* What an object is: its type by name, and the types that it can be taken for, each with where it lies in it. */
struct __stateglass_type {
    const char *name;
    __INTPTR_TYPE__ kind; /* 0: a class or a number; 1: a pointer, to the only base; 2: to a constant; 3: `nullptr` */
    __INTPTR_TYPE__ count;
    struct {
        const struct __stateglass_type *type;
        __INTPTR_TYPE__ offset;
    } bases[];
};

/* What an object with virtual functions is, as one of its parts knows it. */
struct __stateglass_identity {
    const struct __stateglass_type *type;
    __INTPTR_TYPE__ offset; /* where in the object the part lies */
};

/* An exception; the object that is thrown lies behind it. */
struct __stateglass_exception {
    const struct __stateglass_type *type;
    void (*destroy)(void *object);
    struct __stateglass_exception *outer; /* the one that is handled around this one */
    __INTPTR_TYPE__ handlers;
};

extern void *__stateglass_thrown; /* the exception on its way to a handler; null: there is none */
extern struct __stateglass_exception *__stateglass_caught; /* the one that is handled now */

void *__stateglass_new_exception(__SIZE_TYPE__ size, const struct __stateglass_type *type, void (*destroy)(void *));
void __stateglass_throw(void *object);
void __stateglass_free_exception(void *object);
void __stateglass_rethrow(void);
int __stateglass_is_a(const struct __stateglass_type *type, const struct __stateglass_type *wanted, void **object);
int __stateglass_catches(const struct __stateglass_type *wanted, void **object);
void *__stateglass_whole(void *object, const struct __stateglass_identity *what);
void *__stateglass_cast(void *object, const struct __stateglass_identity *what, const struct __stateglass_type *wanted);
void __stateglass_begin_handler(void);
void __stateglass_end_handler(void);
void __stateglass_drop_thrown(void);

#ifdef __cplusplus
}
#endif

#endif

/* Sets of signals. The guards are those of other C libraries, whose headers may define the same types. */
#ifndef ____sigset_t_defined
#define ____sigset_t_defined 1
typedef struct {
    unsigned long long bits;
} __sigset_t;
#endif

#ifndef __sigset_t_defined
#define __sigset_t_defined 1
typedef __sigset_t sigset_t;
#endif

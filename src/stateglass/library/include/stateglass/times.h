/* Moments and durations. The guards are those of other C libraries, whose headers may define the same types. */
#ifndef STATEGLASS_TIMES_H
#define STATEGLASS_TIMES_H

#ifndef __timeval_defined
#define __timeval_defined 1
struct timeval {
    long tv_sec;
    long tv_usec;
};
#endif

#ifndef _STRUCT_TIMESPEC
#define _STRUCT_TIMESPEC 1
struct timespec {
    long tv_sec;
    long tv_nsec;
};
#endif

#endif

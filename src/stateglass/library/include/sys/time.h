/* Time in microseconds: what a clock says is an input. */
#ifndef STATEGLASS_SYS_TIME_H
#define STATEGLASS_SYS_TIME_H

#ifdef __cplusplus
extern "C" {
#endif

#include <sys/types.h>
#include <stateglass/times.h>
#include <sys/select.h>

#define ITIMER_REAL 0
#define ITIMER_VIRTUAL 1
#define ITIMER_PROF 2

struct timezone {
    int tz_minuteswest;
    int tz_dsttime;
};

struct itimerval {
    struct timeval it_interval;
    struct timeval it_value;
};

int gettimeofday(struct timeval *__restrict t, void *__restrict zone);
int settimeofday(const struct timeval *t, const struct timezone *zone);
int getitimer(int which, struct itimerval *value);
int setitimer(int which, const struct itimerval *__restrict value, struct itimerval *__restrict old);
int utimes(const char *path, const struct timeval times[2]);

#define timerisset(t) ((t)->tv_sec != 0 || (t)->tv_usec != 0)
#define timerclear(t) ((void)((t)->tv_sec = (t)->tv_usec = 0))
#define timercmp(a, b, operator) \
    ((a)->tv_sec == (b)->tv_sec ? (a)->tv_usec operator (b)->tv_usec : (a)->tv_sec operator (b)->tv_sec)
#define timeradd(a, b, sum) \
    do { \
        (sum)->tv_sec = (a)->tv_sec + (b)->tv_sec; \
        (sum)->tv_usec = (a)->tv_usec + (b)->tv_usec; \
        if ((sum)->tv_usec >= 1000000) { \
            ++(sum)->tv_sec; \
            (sum)->tv_usec -= 1000000; \
        } \
    } while (0)
#define timersub(a, b, difference) \
    do { \
        (difference)->tv_sec = (a)->tv_sec - (b)->tv_sec; \
        (difference)->tv_usec = (a)->tv_usec - (b)->tv_usec; \
        if ((difference)->tv_usec < 0) { \
            --(difference)->tv_sec; \
            (difference)->tv_usec += 1000000; \
        } \
    } while (0)

#ifdef __cplusplus
}
#endif

#endif

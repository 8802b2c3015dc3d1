/* Time: what a clock says is an input. */
#ifndef STATEGLASS_TIME_H
#define STATEGLASS_TIME_H

#ifdef __cplusplus
extern "C" {
#endif

#include <stateglass/features.h>
#define __need_size_t
#define __need_NULL
#include <stddef.h>
#include <stateglass/times.h>

typedef long time_t;
typedef long clock_t;

#define CLOCKS_PER_SEC ((clock_t)1000000)
#define TIME_UTC 1

#ifndef __struct_tm_defined
#define __struct_tm_defined 1
struct tm {
    int tm_sec;
    int tm_min;
    int tm_hour;
    int tm_mday;
    int tm_mon;
    int tm_year;
    int tm_wday;
    int tm_yday;
    int tm_isdst;
    long tm_gmtoff;
    const char *tm_zone;
};
#endif

clock_t clock(void);
time_t time(time_t *t);
double difftime(time_t end, time_t start);
time_t mktime(struct tm *t);
struct tm *gmtime(const time_t *t);
struct tm *localtime(const time_t *t);
char *asctime(const struct tm *t);
char *ctime(const time_t *t);
size_t strftime(char *__restrict s, size_t n, const char *__restrict format, const struct tm *__restrict t);
int timespec_get(struct timespec *t, int base);

#ifdef STATEGLASS_POSIX
#include <sys/types.h>
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define CLOCK_PROCESS_CPUTIME_ID 2
#define CLOCK_THREAD_CPUTIME_ID 3
#define CLOCK_MONOTONIC_RAW 4
#define CLOCK_REALTIME_COARSE 5
#define CLOCK_MONOTONIC_COARSE 6
#define CLOCK_BOOTTIME 7
#define TIMER_ABSTIME 1

#ifndef __itimerspec_defined
#define __itimerspec_defined 1
struct itimerspec {
    struct timespec it_interval;
    struct timespec it_value;
};
#endif

struct sigevent;
extern char *tzname[2];
extern int daylight;
extern long timezone;

struct tm *gmtime_r(const time_t *__restrict t, struct tm *__restrict result);
struct tm *localtime_r(const time_t *__restrict t, struct tm *__restrict result);
char *asctime_r(const struct tm *__restrict t, char *__restrict s);
char *ctime_r(const time_t *t, char *s);
char *strptime(const char *__restrict s, const char *__restrict format, struct tm *__restrict t);
void tzset(void);
int nanosleep(const struct timespec *wanted, struct timespec *remaining);
int clock_getres(clockid_t clock, struct timespec *resolution);
int clock_gettime(clockid_t clock, struct timespec *t);
int clock_settime(clockid_t clock, const struct timespec *t);
int clock_nanosleep(clockid_t clock, int flags, const struct timespec *wanted, struct timespec *remaining);
int timer_create(clockid_t clock, struct sigevent *__restrict event, timer_t *__restrict timer);
int timer_delete(timer_t timer);
int timer_settime(
    timer_t timer, int flags, const struct itimerspec *__restrict value, struct itimerspec *__restrict old);
int timer_gettime(timer_t timer, struct itimerspec *value);
#endif

#ifdef STATEGLASS_BSD
time_t timegm(struct tm *t);
time_t timelocal(struct tm *t);
int stime(const time_t *t);
#endif

#ifdef __cplusplus
}
#endif

#endif

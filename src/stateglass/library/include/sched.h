/* Scheduling of threads. */
#ifndef STATEGLASS_SCHED_H
#define STATEGLASS_SCHED_H

#ifdef __cplusplus
extern "C" {
#endif

#include <sys/types.h>
#include <stateglass/times.h>

#define SCHED_OTHER 0
#define SCHED_FIFO 1
#define SCHED_RR 2
#define SCHED_BATCH 3
#define SCHED_IDLE 5

#ifndef _BITS_TYPES_STRUCT_SCHED_PARAM
#define _BITS_TYPES_STRUCT_SCHED_PARAM 1
struct sched_param {
    int sched_priority;
};
#endif

int sched_yield(void);
int sched_get_priority_max(int policy);
int sched_get_priority_min(int policy);
int sched_setscheduler(pid_t pid, int policy, const struct sched_param *parameters);
int sched_getscheduler(pid_t pid);
int sched_setparam(pid_t pid, const struct sched_param *parameters);
int sched_getparam(pid_t pid, struct sched_param *parameters);
int sched_rr_get_interval(pid_t pid, struct timespec *interval);

#ifdef __cplusplus
}
#endif

#endif

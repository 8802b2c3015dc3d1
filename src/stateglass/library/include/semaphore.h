/* Semaphores: types and declarations. */
#ifndef STATEGLASS_SEMAPHORE_H
#define STATEGLASS_SEMAPHORE_H

#ifdef __cplusplus
extern "C" {
#endif

#include <stateglass/times.h>

typedef union {
    void *state;
} sem_t;

#define SEM_FAILED ((sem_t *)0)
#define SEM_VALUE_MAX __INT_MAX__

int sem_init(sem_t *semaphore, int shared, unsigned int value);
int sem_destroy(sem_t *semaphore);
int sem_wait(sem_t *semaphore);
int sem_trywait(sem_t *semaphore);
int sem_timedwait(sem_t *__restrict semaphore, const struct timespec *__restrict until);
int sem_post(sem_t *semaphore);
int sem_getvalue(sem_t *__restrict semaphore, int *__restrict value);
sem_t *sem_open(const char *name, int flags, ...);
int sem_close(sem_t *semaphore);
int sem_unlink(const char *name);

#ifdef __cplusplus
}
#endif

#endif

/* Waiting for several files. A set has room for 64 of them, so that its content is a small number of inputs. */
#ifndef STATEGLASS_SYS_SELECT_H
#define STATEGLASS_SYS_SELECT_H

#ifdef __cplusplus
extern "C" {
#endif

#include <stateglass/features.h>
#include <sys/types.h>
#include <stateglass/times.h>
#include <stateglass/sigset.h>

#define FD_SETSIZE 64

typedef struct {
    unsigned long long fds_bits[1];
} fd_set;

#define FD_ZERO(set) ((void)((set)->fds_bits[0] = 0))
#define FD_SET(fd, set) ((void)((set)->fds_bits[(fd) / 64] |= 1ULL << (fd) % 64))
#define FD_CLR(fd, set) ((void)((set)->fds_bits[(fd) / 64] &= ~(1ULL << (fd) % 64)))
#define FD_ISSET(fd, set) (((set)->fds_bits[(fd) / 64] >> (fd) % 64 & 1) != 0)

int select(int count, fd_set *__restrict readable, fd_set *__restrict writable, fd_set *__restrict exceptional,
    struct timeval *__restrict timeout);
int pselect(int count, fd_set *__restrict readable, fd_set *__restrict writable, fd_set *__restrict exceptional,
    const struct timespec *__restrict timeout, const sigset_t *__restrict mask);

#ifdef __cplusplus
}
#endif

#endif

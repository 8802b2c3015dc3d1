/* Signals, with Linux's numbers. Handlers are not run by themselves. */
#ifndef STATEGLASS_SIGNAL_H
#define STATEGLASS_SIGNAL_H

#ifdef __cplusplus
extern "C" {
#endif

#include <stateglass/features.h>
#include <stateglass/sigset.h>

typedef int sig_atomic_t;

#define SIG_ERR ((void (*)(int))-1)
#define SIG_DFL ((void (*)(int))0)
#define SIG_IGN ((void (*)(int))1)

#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGIOT 6
#define SIGBUS 7
#define SIGFPE 8
#define SIGKILL 9
#define SIGUSR1 10
#define SIGSEGV 11
#define SIGUSR2 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGSTKFLT 16
#define SIGCHLD 17
#define SIGCLD 17
#define SIGCONT 18
#define SIGSTOP 19
#define SIGTSTP 20
#define SIGTTIN 21
#define SIGTTOU 22
#define SIGURG 23
#define SIGXCPU 24
#define SIGXFSZ 25
#define SIGVTALRM 26
#define SIGPROF 27
#define SIGWINCH 28
#define SIGIO 29
#define SIGPOLL 29
#define SIGPWR 30
#define SIGSYS 31
#define SIGRTMIN 34
#define SIGRTMAX 64
#define NSIG 65
#define _NSIG 65

void (*signal(int number, void (*handler)(int)))(int);
int raise(int number);

#ifdef STATEGLASS_POSIX
#include <sys/types.h>
#include <stateglass/times.h>

typedef void (*sighandler_t)(int);
typedef void (*__sighandler_t)(int);
typedef void (*sig_t)(int);

#ifndef ____sigval_t_defined
#define ____sigval_t_defined 1
union sigval {
    int sival_int;
    void *sival_ptr;
};
typedef union sigval __sigval_t;
#endif
#ifndef __sigval_t_defined
#define __sigval_t_defined 1
typedef union sigval sigval_t;
#endif

#ifndef __siginfo_t_defined
#define __siginfo_t_defined 1
typedef struct {
    int si_signo;
    int si_errno;
    int si_code;
    pid_t si_pid;
    uid_t si_uid;
    int si_status;
    int si_band;
    int si_fd;
    void *si_addr;
    union sigval si_value;
} siginfo_t;
#endif

#ifndef __sigevent_t_defined
#define __sigevent_t_defined 1
typedef struct sigevent {
    union sigval sigev_value;
    int sigev_signo;
    int sigev_notify;
    void (*sigev_notify_function)(union sigval);
    void *sigev_notify_attributes;
} sigevent_t;
#endif

#ifndef __stack_t_defined
#define __stack_t_defined 1
typedef struct {
    void *ss_sp;
    int ss_flags;
    size_t ss_size;
} stack_t;
#endif

struct sigaction {
    union {
        void (*sa_handler)(int);
        void (*sa_sigaction)(int, siginfo_t *, void *);
    } __sigaction_handler;
    sigset_t sa_mask;
    int sa_flags;
    void (*sa_restorer)(void);
};
#define sa_handler __sigaction_handler.sa_handler
#define sa_sigaction __sigaction_handler.sa_sigaction

#define SA_NOCLDSTOP 1
#define SA_NOCLDWAIT 2
#define SA_SIGINFO 4
#define SA_ONSTACK 0x08000000
#define SA_RESTART 0x10000000
#define SA_NODEFER 0x40000000
#define SA_RESETHAND 0x80000000
#define SIG_BLOCK 0
#define SIG_UNBLOCK 1
#define SIG_SETMASK 2
#ifndef _BITS_SIGEVENT_CONSTS_H
#define _BITS_SIGEVENT_CONSTS_H 1
enum { SIGEV_SIGNAL = 0, SIGEV_NONE = 1, SIGEV_THREAD = 2 };
#endif
#define SIGSTKSZ 8192
#define MINSIGSTKSZ 2048

int kill(pid_t pid, int number);
int killpg(pid_t group, int number);
int sigaction(int number, const struct sigaction *__restrict action, struct sigaction *__restrict old);
int sigprocmask(int how, const sigset_t *__restrict set, sigset_t *__restrict old);
int pthread_sigmask(int how, const sigset_t *__restrict set, sigset_t *__restrict old);
int pthread_kill(pthread_t thread, int number);
int sigemptyset(sigset_t *set);
int sigfillset(sigset_t *set);
int sigaddset(sigset_t *set, int number);
int sigdelset(sigset_t *set, int number);
int sigismember(const sigset_t *set, int number);
int sigpending(sigset_t *set);
int sigsuspend(const sigset_t *mask);
int sigwait(const sigset_t *__restrict set, int *__restrict number);
int sigwaitinfo(const sigset_t *__restrict set, siginfo_t *__restrict info);
int sigtimedwait(
    const sigset_t *__restrict set, siginfo_t *__restrict info, const struct timespec *__restrict timeout);
int sigqueue(pid_t pid, int number, const union sigval value);
int sigaltstack(const stack_t *__restrict stack, stack_t *__restrict old);
int siginterrupt(int number, int interrupt);
void psignal(int number, const char *s);
#endif

#ifdef __cplusplus
}
#endif

#endif

/* System calls: none has a body, results are inputs and calls are events. `_exit` ends the program. */
#ifndef STATEGLASS_UNISTD_H
#define STATEGLASS_UNISTD_H

#ifdef __cplusplus
extern "C" {
#endif

#include <stateglass/features.h>
#define __need_size_t
#define __need_NULL
#include <stddef.h>
#include <sys/types.h>

#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#ifndef SEEK_SET
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif
#define F_OK 0
#define X_OK 1
#define W_OK 2
#define R_OK 4
#define F_ULOCK 0
#define F_LOCK 1
#define F_TLOCK 2
#define F_TEST 3

#define _POSIX_VERSION 200809L
#define _POSIX_THREADS 200809L
#define _POSIX_TIMERS 200809L
#define _POSIX_MONOTONIC_CLOCK 0
#define _POSIX_VDISABLE '\0'
#define _SC_ARG_MAX 0
#define _SC_CHILD_MAX 1
#define _SC_CLK_TCK 2
#define _SC_NGROUPS_MAX 3
#define _SC_OPEN_MAX 4
#define _SC_PAGESIZE 30
#define _SC_PAGE_SIZE 30
#define _SC_GETGR_R_SIZE_MAX 69
#define _SC_GETPW_R_SIZE_MAX 70
#define _SC_NPROCESSORS_CONF 83
#define _SC_NPROCESSORS_ONLN 84
#define _SC_PHYS_PAGES 85
#define _SC_HOST_NAME_MAX 180
#define _PC_NAME_MAX 3
#define _PC_PATH_MAX 4

typedef unsigned int socklen_t;

extern char **environ;
extern char *optarg;
extern int optind;
extern int opterr;
extern int optopt;

STATEGLASS_NO_RETURN void _exit(int status);
ssize_t read(int fd, void *buf, size_t n);
ssize_t write(int fd, const void *buffer, size_t n);
ssize_t pread(int fd, void *buf, size_t n, off_t offset);
ssize_t pwrite(int fd, const void *buffer, size_t n, off_t offset);
int close(int fd);
off_t lseek(int fd, off_t offset, int whence);
int dup(int fd);
int dup2(int fd, int other);
int pipe(int ends[2]);
int fsync(int fd);
int fdatasync(int fd);
void sync(void);
int ftruncate(int fd, off_t length);
int truncate(const char *path, off_t length);
int lockf(int fd, int command, off_t length);
int isatty(int fd);
char *ttyname(int fd);
int ttyname_r(int fd, char *buffer, size_t n);
int tcsetpgrp(int fd, pid_t group);
pid_t tcgetpgrp(int fd);

int access(const char *path, int mode);
int faccessat(int folder, const char *path, int mode, int flags);
int chdir(const char *path);
int fchdir(int fd);
int chroot(const char *path);
char *getcwd(char *buffer, size_t n);
int link(const char *from, const char *to);
int symlink(const char *from, const char *to);
ssize_t readlink(const char *__restrict path, char *__restrict buffer, size_t n);
ssize_t readlinkat(int folder, const char *__restrict path, char *__restrict buffer, size_t n);
int unlink(const char *path);
int unlinkat(int folder, const char *path, int flags);
int rmdir(const char *path);
int chown(const char *path, uid_t owner, gid_t group);
int fchown(int fd, uid_t owner, gid_t group);
int lchown(const char *path, uid_t owner, gid_t group);

pid_t fork(void);
pid_t vfork(void);
int execv(const char *path, char *const arguments[]);
int execve(const char *path, char *const arguments[], char *const environment[]);
int execvp(const char *file, char *const arguments[]);
int execl(const char *path, const char *argument, ...);
int execle(const char *path, const char *argument, ...);
int execlp(const char *file, const char *argument, ...);
int fexecve(int fd, char *const arguments[], char *const environment[]);
pid_t getpid(void);
pid_t getppid(void);
pid_t getpgrp(void);
pid_t getpgid(pid_t pid);
pid_t getsid(pid_t pid);
int setpgid(pid_t pid, pid_t group);
pid_t setsid(void);
uid_t getuid(void);
uid_t geteuid(void);
gid_t getgid(void);
gid_t getegid(void);
int setuid(uid_t user);
int seteuid(uid_t user);
int setgid(gid_t group);
int setegid(gid_t group);
int setreuid(uid_t real, uid_t effective);
int setregid(gid_t real, gid_t effective);
int getgroups(int count, gid_t groups[]);
char *getlogin(void);
int gethostname(char *name, size_t n);
int nice(int increment);
int pause(void);
unsigned int alarm(unsigned int seconds);
unsigned int sleep(unsigned int seconds);
long sysconf(int name);
long pathconf(const char *path, int name);
long fpathconf(int fd, int name);
size_t confstr(int name, char *buffer, size_t n);
int getopt(int count, char *const arguments[], const char *options);
void swab(const void *__restrict from, void *__restrict to, ssize_t n);

#ifdef STATEGLASS_BSD
int usleep(useconds_t microseconds);
useconds_t ualarm(useconds_t microseconds, useconds_t interval);
int sethostname(const char *name, size_t n);
int getdomainname(char *name, size_t n);
int getpagesize(void);
int getdtablesize(void);
void *sbrk(__INTPTR_TYPE__ increment);
int brk(void *address);
int daemon(int keep_folder, int keep_streams);
int vhangup(void);
int acct(const char *path);
long syscall(long number, ...);
char *getpass(const char *prompt);
int getentropy(void *buffer, size_t n);
#endif

#ifdef STATEGLASS_GNU
int pipe2(int ends[2], int flags);
int dup3(int fd, int other, int flags);
int setresuid(uid_t real, uid_t effective, uid_t saved);
int setresgid(gid_t real, gid_t effective, gid_t saved);
int getresuid(uid_t *real, uid_t *effective, uid_t *saved);
int getresgid(gid_t *real, gid_t *effective, gid_t *saved);
pid_t gettid(void);
char *get_current_dir_name(void);
int execvpe(const char *file, char *const arguments[], char *const environment[]);
int close_range(unsigned int first, unsigned int last, int flags);
#define TEMP_FAILURE_RETRY(expression) \
    (__extension__({ \
        long __result; \
        do \
            __result = (long)(expression); \
        while (__result == -1 && errno == 4); \
        __result; \
    }))
#endif

#ifdef STATEGLASS_LARGE_FILES
ssize_t pread64(int fd, void *buf, size_t n, off64_t offset);
ssize_t pwrite64(int fd, const void *buffer, size_t n, off64_t offset);
off64_t lseek64(int fd, off64_t offset, int whence);
int ftruncate64(int fd, off64_t length);
int truncate64(const char *path, off64_t length);
#endif

#ifdef __cplusplus
}
#endif

#endif

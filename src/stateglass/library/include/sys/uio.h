/* Reading and writing several buffers at once. */
#ifndef STATEGLASS_SYS_UIO_H
#define STATEGLASS_SYS_UIO_H

#ifdef __cplusplus
extern "C" {
#endif

#include <sys/types.h>

#ifndef __iovec_defined
#define __iovec_defined 1
struct iovec {
    void *iov_base;
    size_t iov_len;
};
#endif
#define UIO_MAXIOV 1024

ssize_t readv(int fd, const struct iovec *parts, int count);
ssize_t writev(int fd, const struct iovec *parts, int count);

#ifdef __cplusplus
}
#endif

#endif

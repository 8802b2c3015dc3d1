/* Sockets, with Linux's constants: what arrives is input, what is sent is an event. */
#ifndef STATEGLASS_SYS_SOCKET_H
#define STATEGLASS_SYS_SOCKET_H

#ifdef __cplusplus
extern "C" {
#endif

#include <stateglass/features.h>
#include <sys/types.h>
#include <sys/uio.h>

typedef unsigned int socklen_t;
typedef unsigned short sa_family_t;

struct sockaddr {
    sa_family_t sa_family;
    char sa_data[14];
};

struct sockaddr_storage {
    sa_family_t ss_family;
    char __padding[118];
    unsigned long long __alignment;
};

struct msghdr {
    void *msg_name;
    socklen_t msg_namelen;
    struct iovec *msg_iov;
    size_t msg_iovlen;
    void *msg_control;
    size_t msg_controllen;
    int msg_flags;
};

struct cmsghdr {
    size_t cmsg_len;
    int cmsg_level;
    int cmsg_type;
};

struct linger {
    int l_onoff;
    int l_linger;
};

struct ucred {
    pid_t pid;
    uid_t uid;
    gid_t gid;
};

#define CMSG_ALIGN(n) (((n) + sizeof(size_t) - 1) & ~(sizeof(size_t) - 1))
#define CMSG_SPACE(n) (CMSG_ALIGN(n) + CMSG_ALIGN(sizeof(struct cmsghdr)))
#define CMSG_LEN(n) (CMSG_ALIGN(sizeof(struct cmsghdr)) + (n))
#define CMSG_DATA(header) ((unsigned char *)((struct cmsghdr *)(header) + 1))
#define CMSG_FIRSTHDR(message) \
    ((message)->msg_controllen >= sizeof(struct cmsghdr) ? (struct cmsghdr *)(message)->msg_control \
                                                         : (struct cmsghdr *)0)
#define CMSG_NXTHDR(message, header) \
    ((unsigned char *)(header) + CMSG_ALIGN((header)->cmsg_len) + sizeof(struct cmsghdr) > \
                (unsigned char *)(message)->msg_control + (message)->msg_controllen \
            ? (struct cmsghdr *)0 \
            : (struct cmsghdr *)((unsigned char *)(header) + CMSG_ALIGN((header)->cmsg_len)))

#define SOCK_STREAM 1
#define SOCK_DGRAM 2
#define SOCK_RAW 3
#define SOCK_RDM 4
#define SOCK_SEQPACKET 5
#define SOCK_DCCP 6
#define SOCK_PACKET 10
#define SOCK_CLOEXEC 02000000
#define SOCK_NONBLOCK 04000

#define PF_UNSPEC 0
#define PF_UNIX 1
#define PF_LOCAL 1
#define PF_INET 2
#define PF_AX25 3
#define PF_IPX 4
#define PF_APPLETALK 5
#define PF_NETROM 6
#define PF_BRIDGE 7
#define PF_X25 9
#define PF_INET6 10
#define PF_ROSE 11
#define PF_KEY 15
#define PF_NETLINK 16
#define PF_ROUTE 16
#define PF_PACKET 17
#define PF_RDS 21
#define PF_IRDA 23
#define PF_PPPOX 24
#define PF_LLC 26
#define PF_IB 27
#define PF_MPLS 28
#define PF_CAN 29
#define PF_TIPC 30
#define PF_BLUETOOTH 31
#define PF_IUCV 32
#define PF_RXRPC 33
#define PF_ISDN 34
#define PF_PHONET 35
#define PF_IEEE802154 36
#define PF_CAIF 37
#define PF_ALG 38
#define PF_NFC 39
#define PF_VSOCK 40
#define PF_KCM 41
#define PF_QIPCRTR 42
#define PF_SMC 43
#define PF_XDP 44
#define PF_MAX 46
#define AF_UNSPEC PF_UNSPEC
#define AF_UNIX PF_UNIX
#define AF_LOCAL PF_LOCAL
#define AF_INET PF_INET
#define AF_AX25 PF_AX25
#define AF_IPX PF_IPX
#define AF_APPLETALK PF_APPLETALK
#define AF_NETROM PF_NETROM
#define AF_BRIDGE PF_BRIDGE
#define AF_X25 PF_X25
#define AF_INET6 PF_INET6
#define AF_ROSE PF_ROSE
#define AF_KEY PF_KEY
#define AF_NETLINK PF_NETLINK
#define AF_ROUTE PF_ROUTE
#define AF_PACKET PF_PACKET
#define AF_RDS PF_RDS
#define AF_IRDA PF_IRDA
#define AF_PPPOX PF_PPPOX
#define AF_LLC PF_LLC
#define AF_IB PF_IB
#define AF_MPLS PF_MPLS
#define AF_CAN PF_CAN
#define AF_TIPC PF_TIPC
#define AF_BLUETOOTH PF_BLUETOOTH
#define AF_IUCV PF_IUCV
#define AF_RXRPC PF_RXRPC
#define AF_ISDN PF_ISDN
#define AF_PHONET PF_PHONET
#define AF_IEEE802154 PF_IEEE802154
#define AF_CAIF PF_CAIF
#define AF_ALG PF_ALG
#define AF_NFC PF_NFC
#define AF_VSOCK PF_VSOCK
#define AF_KCM PF_KCM
#define AF_QIPCRTR PF_QIPCRTR
#define AF_SMC PF_SMC
#define AF_XDP PF_XDP
#define AF_MAX PF_MAX

#define SOL_SOCKET 1
#define SOL_RAW 255
#define SOL_X25 262
#define SOL_PACKET 263
#define SOL_ATM 264
#define SOL_IRDA 266
#define SOL_NETBEUI 267
#define SOL_LLC 268
#define SOL_DCCP 269
#define SOL_NETLINK 270
#define SOL_TIPC 271
#define SOL_PPPOL2TP 273
#define SOL_BLUETOOTH 274
#define SOL_ALG 279
#define SOL_TLS 282
#define SOL_XDP 283
#define SO_DEBUG 1
#define SO_REUSEADDR 2
#define SO_TYPE 3
#define SO_ERROR 4
#define SO_DONTROUTE 5
#define SO_BROADCAST 6
#define SO_SNDBUF 7
#define SO_RCVBUF 8
#define SO_KEEPALIVE 9
#define SO_OOBINLINE 10
#define SO_PRIORITY 12
#define SO_LINGER 13
#define SO_REUSEPORT 15
#define SO_PASSCRED 16
#define SO_PEERCRED 17
#define SO_RCVLOWAT 18
#define SO_SNDLOWAT 19
#define SO_RCVTIMEO 20
#define SO_SNDTIMEO 21
#define SO_BINDTODEVICE 25
#define SO_ATTACH_FILTER 26
#define SO_DETACH_FILTER 27
#define SO_TIMESTAMP 29
#define SO_ACCEPTCONN 30
#define SO_SNDBUFFORCE 32
#define SO_RCVBUFFORCE 33
#define SO_TIMESTAMPNS 35
#define SO_MARK 36
#define SO_TIMESTAMPING 37
#define SO_PROTOCOL 38
#define SO_DOMAIN 39
#define SO_RXQ_OVFL 40
#define SCM_RIGHTS 1
#define SCM_CREDENTIALS 2
#define SCM_TIMESTAMP SO_TIMESTAMP
#define SOMAXCONN 4096

#define MSG_OOB 0x01
#define MSG_PEEK 0x02
#define MSG_DONTROUTE 0x04
#define MSG_CTRUNC 0x08
#define MSG_TRUNC 0x20
#define MSG_DONTWAIT 0x40
#define MSG_EOR 0x80
#define MSG_WAITALL 0x100
#define MSG_FIN 0x200
#define MSG_SYN 0x400
#define MSG_CONFIRM 0x800
#define MSG_RST 0x1000
#define MSG_ERRQUEUE 0x2000
#define MSG_NOSIGNAL 0x4000
#define MSG_MORE 0x8000
#define MSG_WAITFORONE 0x10000
#define MSG_ZEROCOPY 0x4000000
#define MSG_FASTOPEN 0x20000000
#define MSG_CMSG_CLOEXEC 0x40000000

#define SHUT_RD 0
#define SHUT_WR 1
#define SHUT_RDWR 2

int socket(int family, int type, int protocol);
int socketpair(int family, int type, int protocol, int ends[2]);
int bind(int fd, const struct sockaddr *address, socklen_t n);
int listen(int fd, int backlog);
int accept(int fd, struct sockaddr *__restrict address, socklen_t *__restrict n);
int connect(int fd, const struct sockaddr *address, socklen_t n);
int shutdown(int fd, int how);
ssize_t send(int fd, const void *buffer, size_t n, int flags);
ssize_t sendto(
    int fd, const void *buffer, size_t n, int flags, const struct sockaddr *address, socklen_t address_length);
ssize_t sendmsg(int fd, const struct msghdr *message, int flags);
ssize_t recv(int fd, void *buf, size_t n, int flags);
ssize_t recvfrom(int fd, void *__restrict buf, size_t n, int flags, struct sockaddr *__restrict address,
    socklen_t *__restrict address_length);
ssize_t recvmsg(int fd, struct msghdr *message, int flags);
int getsockname(int fd, struct sockaddr *__restrict address, socklen_t *__restrict n);
int getpeername(int fd, struct sockaddr *__restrict address, socklen_t *__restrict n);
int getsockopt(int fd, int level, int option, void *__restrict value, socklen_t *__restrict n);
int setsockopt(int fd, int level, int option, const void *value, socklen_t n);
int sockatmark(int fd);

#ifdef STATEGLASS_GNU
int accept4(int fd, struct sockaddr *__restrict address, socklen_t *__restrict n, int flags);
#endif

#ifdef __cplusplus
}
#endif

#endif

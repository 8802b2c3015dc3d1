/* Addresses of local sockets. */
#ifndef STATEGLASS_SYS_UN_H
#define STATEGLASS_SYS_UN_H

#include <string.h>
#include <sys/socket.h>

struct sockaddr_un {
    sa_family_t sun_family;
    char sun_path[108];
};

#define SUN_LEN(a) (__builtin_offsetof(struct sockaddr_un, sun_path) + strlen((a)->sun_path))

#endif

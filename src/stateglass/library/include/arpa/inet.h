/* Internet addresses as text. */
#ifndef STATEGLASS_ARPA_INET_H
#define STATEGLASS_ARPA_INET_H

#ifdef __cplusplus
extern "C" {
#endif

#include <netinet/in.h>

in_addr_t inet_addr(const char *s);
int inet_aton(const char *s, struct in_addr *result);
char *inet_ntoa(struct in_addr address);
const char *inet_ntop(int family, const void *__restrict address, char *__restrict s, socklen_t n);
int inet_pton(int family, const char *__restrict s, void *__restrict result);
in_addr_t inet_network(const char *s);
struct in_addr inet_makeaddr(in_addr_t network, in_addr_t host);
in_addr_t inet_lnaof(struct in_addr address);
in_addr_t inet_netof(struct in_addr address);

#ifdef __cplusplus
}
#endif

#endif

/* Older names for strings and bytes, and comparison without case. */
#ifndef STATEGLASS_STRINGS_H
#define STATEGLASS_STRINGS_H

#ifdef __cplusplus
extern "C" {
#endif

#define __need_size_t
#include <stddef.h>

int strcasecmp(const char *s1, const char *s2);
int strncasecmp(const char *s1, const char *s2, size_t n);
int bcmp(const void *s1, const void *s2, size_t n);
void bcopy(const void *from, void *to, size_t n);
void bzero(void *s, size_t n);
char *index(const char *s, int c);
char *rindex(const char *s, int c);
int ffs(int i);
int ffsl(long i);
int ffsll(long long i);

#ifdef __cplusplus
}
#endif

#endif

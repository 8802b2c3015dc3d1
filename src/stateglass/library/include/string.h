/* Strings and bytes. */
#ifndef STATEGLASS_STRING_H
#define STATEGLASS_STRING_H

#ifdef __cplusplus
extern "C" {
#endif

#include <stateglass/features.h>
#define __need_size_t
#define __need_NULL
#include <stddef.h>

void *memcpy(void *__restrict to, const void *__restrict from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *s, int c, size_t n);
int memcmp(const void *s1, const void *s2, size_t n);
void *memchr(const void *s, int c, size_t n);
size_t strlen(const char *s);
int strcmp(const char *s1, const char *s2);
int strncmp(const char *s1, const char *s2, size_t n);
char *strcpy(char *__restrict to, const char *__restrict from);
char *strncpy(char *__restrict to, const char *__restrict from, size_t n);
char *strcat(char *__restrict to, const char *__restrict from);
char *strncat(char *__restrict to, const char *__restrict from, size_t n);
char *strchr(const char *s, int c);
char *strrchr(const char *s, int c);
char *strstr(const char *s, const char *part);
size_t strspn(const char *s, const char *accept);
size_t strcspn(const char *s, const char *reject);
char *strpbrk(const char *s, const char *accept);
char *strtok(char *__restrict s, const char *__restrict delimiters);
int strcoll(const char *s1, const char *s2);
size_t strxfrm(char *__restrict to, const char *__restrict from, size_t n);
char *strerror(int number);

#ifdef STATEGLASS_POSIX
#include <strings.h>
size_t strnlen(const char *s, size_t n);
char *strtok_r(char *__restrict s, const char *__restrict delimiters, char **__restrict rest);
char *strdup(const char *s);
char *strndup(const char *s, size_t n);
char *stpcpy(char *__restrict to, const char *__restrict from);
char *stpncpy(char *__restrict to, const char *__restrict from, size_t n);
void *memccpy(void *__restrict to, const void *__restrict from, int c, size_t n);
int strerror_r(int number, char *text, size_t n);
char *strsignal(int number);
#endif

#ifdef STATEGLASS_BSD
char *strsep(char **__restrict s, const char *__restrict delimiters);
size_t strlcpy(char *__restrict to, const char *__restrict from, size_t n);
size_t strlcat(char *__restrict to, const char *__restrict from, size_t n);
void explicit_bzero(void *s, size_t n);
#endif

#ifdef STATEGLASS_GNU
void *mempcpy(void *__restrict to, const void *__restrict from, size_t n);
void *memrchr(const void *s, int c, size_t n);
void *rawmemchr(const void *s, int c);
void *memmem(const void *s, size_t n, const void *part, size_t m);
char *strchrnul(const char *s, int c);
char *strcasestr(const char *s, const char *part);
#endif

#ifdef __cplusplus
}
#endif

#endif

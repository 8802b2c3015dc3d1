/* Numbers, sorting, memory from the pool, the end of the program. */
#ifndef STATEGLASS_STDLIB_H
#define STATEGLASS_STDLIB_H

#ifdef __cplusplus
extern "C" {
#endif

#include <stateglass/features.h>
#define __need_size_t
#define __need_wchar_t
#define __need_NULL
#include <stddef.h>

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX __INT_MAX__
#define MB_CUR_MAX ((size_t)1)

typedef struct {
    int quot;
    int rem;
} div_t;

typedef struct {
    long quot;
    long rem;
} ldiv_t;

typedef struct {
    long long quot;
    long long rem;
} lldiv_t;

int abs(int n);
long labs(long n);
long long llabs(long long n);
div_t div(int numerator, int denominator);
ldiv_t ldiv(long numerator, long denominator);
lldiv_t lldiv(long long numerator, long long denominator);

int atoi(const char *s);
long atol(const char *s);
long long atoll(const char *s);
double atof(const char *s);
long strtol(const char *__restrict s, char **__restrict end, int base);
unsigned long strtoul(const char *__restrict s, char **__restrict end, int base);
long long strtoll(const char *__restrict s, char **__restrict end, int base);
unsigned long long strtoull(const char *__restrict s, char **__restrict end, int base);
double strtod(const char *__restrict s, char **__restrict end);
float strtof(const char *__restrict s, char **__restrict end);
long double strtold(const char *__restrict s, char **__restrict end);

void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *));
void *bsearch(
    const void *key, const void *base, size_t count, size_t size, int (*compare)(const void *, const void *));

int rand(void);
void srand(unsigned int seed);

void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *p, size_t size);
void free(void *p);
void *aligned_alloc(size_t alignment, size_t size);

STATEGLASS_NO_RETURN void abort(void);
STATEGLASS_NO_RETURN void exit(int status);
STATEGLASS_NO_RETURN void _Exit(int status);
STATEGLASS_NO_RETURN void quick_exit(int status);
int atexit(void (*function)(void));
int at_quick_exit(void (*function)(void));

char *getenv(const char *name);
int system(const char *command);

int mblen(const char *s, size_t n);
int mbtowc(wchar_t *__restrict to, const char *__restrict s, size_t n);
int wctomb(char *s, wchar_t c);
size_t mbstowcs(wchar_t *__restrict to, const char *__restrict from, size_t n);
size_t wcstombs(char *__restrict to, const wchar_t *__restrict from, size_t n);

#ifdef STATEGLASS_POSIX
#include <sys/types.h>
int setenv(const char *name, const char *value, int overwrite);
int unsetenv(const char *name);
int putenv(char *text);
int mkstemp(char *name);
char *mkdtemp(char *name);
char *mktemp(char *name);
char *realpath(const char *__restrict path, char *__restrict resolved);
int posix_memalign(void **p, size_t alignment, size_t size);
int rand_r(unsigned int *seed);
long random(void);
void srandom(unsigned int seed);
double drand48(void);
long lrand48(void);
long mrand48(void);
void srand48(long seed);
int grantpt(int fd);
int unlockpt(int fd);
int posix_openpt(int flags);
char *ptsname(int fd);
int getsubopt(char **text, char *const *tokens, char **value);
#endif

#ifdef STATEGLASS_BSD
#include <alloca.h>
unsigned int arc4random(void);
unsigned int arc4random_uniform(unsigned int bound);
int getloadavg(double *averages, int count);
int clearenv(void);
void *reallocarray(void *p, size_t count, size_t size);
#endif

#ifdef STATEGLASS_GNU
char *secure_getenv(const char *name);
char *canonicalize_file_name(const char *path);
#endif

#ifdef __cplusplus
}
#endif

#endif

/* Input and output: no function here has a body. Output is an event, input is chosen by the environment. */
#ifndef STATEGLASS_STDIO_H
#define STATEGLASS_STDIO_H

#ifdef __cplusplus
extern "C" {
#endif

#include <stateglass/features.h>
#define __need_size_t
#define __need_NULL
#include <stddef.h>
#define __need___va_list
#include <stdarg.h>

typedef struct _IO_FILE FILE;
typedef struct {
    long position;
} fpos_t;

extern FILE *const stdin;
extern FILE *const stdout;
extern FILE *const stderr;
#define stdin stdin
#define stdout stdout
#define stderr stderr

#define EOF (-1)
#define BUFSIZ 8192
#define FILENAME_MAX 4096
#define FOPEN_MAX 16
#define L_tmpnam 20
#define TMP_MAX 238328
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2
#ifndef SEEK_SET
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif

int printf(const char *__restrict format, ...) __attribute__((__format__(__printf__, 1, 2)));
int fprintf(FILE *__restrict stream, const char *__restrict format, ...) __attribute__((__format__(__printf__, 2, 3)));
int sprintf(char *__restrict s, const char *__restrict format, ...) __attribute__((__format__(__printf__, 2, 3)));
int snprintf(char *__restrict s, size_t n, const char *__restrict format, ...)
    __attribute__((__format__(__printf__, 3, 4)));
int vprintf(const char *__restrict format, __builtin_va_list arguments);
int vfprintf(FILE *__restrict stream, const char *__restrict format, __builtin_va_list arguments);
int vsprintf(char *__restrict s, const char *__restrict format, __builtin_va_list arguments);
int vsnprintf(char *__restrict s, size_t n, const char *__restrict format, __builtin_va_list arguments);
int scanf(const char *__restrict format, ...) __attribute__((__format__(__scanf__, 1, 2)));
int fscanf(FILE *__restrict stream, const char *__restrict format, ...) __attribute__((__format__(__scanf__, 2, 3)));
int sscanf(const char *__restrict s, const char *__restrict format, ...) __attribute__((__format__(__scanf__, 2, 3)));
int vscanf(const char *__restrict format, __builtin_va_list arguments);
int vfscanf(FILE *__restrict stream, const char *__restrict format, __builtin_va_list arguments);
int vsscanf(const char *__restrict s, const char *__restrict format, __builtin_va_list arguments);

int getc(FILE *stream);
int fgetc(FILE *stream);
int getchar(void);
char *fgets(char *__restrict s, int n, FILE *__restrict stream);
char *gets(char *s);
int ungetc(int c, FILE *stream);
int putc(int c, FILE *stream);
int fputc(int c, FILE *stream);
int putchar(int c);
int puts(const char *s);
int fputs(const char *__restrict s, FILE *__restrict stream);
size_t fread(void *__restrict ptr, size_t size, size_t count, FILE *__restrict stream);
size_t fwrite(const void *__restrict p, size_t size, size_t count, FILE *__restrict stream);

FILE *fopen(const char *__restrict path, const char *__restrict mode);
FILE *freopen(const char *__restrict path, const char *__restrict mode, FILE *__restrict stream);
int fclose(FILE *stream);
int fflush(FILE *stream);
int feof(FILE *stream);
int ferror(FILE *stream);
void clearerr(FILE *stream);
int fseek(FILE *stream, long offset, int whence);
long ftell(FILE *stream);
void rewind(FILE *stream);
int fgetpos(FILE *__restrict stream, fpos_t *__restrict position);
int fsetpos(FILE *stream, const fpos_t *position);
void setbuf(FILE *__restrict stream, char *__restrict buffer);
int setvbuf(FILE *__restrict stream, char *__restrict buffer, int mode, size_t size);
FILE *tmpfile(void);
char *tmpnam(char *s);
int remove(const char *path);
int rename(const char *from, const char *to);
void perror(const char *s);

#ifdef STATEGLASS_POSIX
#include <sys/types.h>
#define L_ctermid 9
#define P_tmpdir "/tmp"
typedef __builtin_va_list va_list;
FILE *fdopen(int fd, const char *mode);
int fileno(FILE *stream);
FILE *popen(const char *command, const char *mode);
int pclose(FILE *stream);
FILE *fmemopen(void *__restrict buffer, size_t size, const char *__restrict mode);
FILE *open_memstream(char **text, size_t *size);
ssize_t getline(char **__restrict line, size_t *__restrict size, FILE *__restrict stream);
ssize_t getdelim(char **__restrict line, size_t *__restrict size, int delimiter, FILE *__restrict stream);
int dprintf(int fd, const char *__restrict format, ...) __attribute__((__format__(__printf__, 2, 3)));
int vdprintf(int fd, const char *__restrict format, __builtin_va_list arguments);
int fseeko(FILE *stream, off_t offset, int whence);
off_t ftello(FILE *stream);
void flockfile(FILE *stream);
int ftrylockfile(FILE *stream);
void funlockfile(FILE *stream);
int getc_unlocked(FILE *stream);
int getchar_unlocked(void);
int putc_unlocked(int c, FILE *stream);
int putchar_unlocked(int c);
int renameat(int from_folder, const char *from, int to_folder, const char *to);
char *ctermid(char *s);
#endif

#ifdef STATEGLASS_BSD
void setlinebuf(FILE *stream);
void setbuffer(FILE *stream, char *buffer, size_t size);
int getw(FILE *stream);
int putw(int word, FILE *stream);
#endif

#ifdef STATEGLASS_GNU
int asprintf(char **__restrict s, const char *__restrict format, ...) __attribute__((__format__(__printf__, 2, 3)));
int vasprintf(char **__restrict s, const char *__restrict format, __builtin_va_list arguments);
int fputs_unlocked(const char *__restrict s, FILE *__restrict stream);
#endif

#ifdef STATEGLASS_LARGE_FILES
#include <sys/types.h>
FILE *fopen64(const char *__restrict path, const char *__restrict mode);
FILE *freopen64(const char *__restrict path, const char *__restrict mode, FILE *__restrict stream);
FILE *tmpfile64(void);
int fseeko64(FILE *stream, off64_t offset, int whence);
off64_t ftello64(FILE *stream);
#endif

#ifdef __cplusplus
}
#endif

#endif

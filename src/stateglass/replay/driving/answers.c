/* The answer of a driver. The code may have functions outside that are called like those of the C library, and what
   stands for them is linked in their place: here only system calls are used. */
#include "runtime.h"

#include <fcntl.h>
#include <stdarg.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif

#define MOST_TEXT 16384

static const char *file = "answer.txt";
static char text[MOST_TEXT];
static unsigned length;

void sg_answer_in(const char *name)
{
    file = name;
}

static void add(char character)
{
    if (length < MOST_TEXT - 1)
        text[length++] = character;
}

static void add_number(unsigned long long number, unsigned base)
{
    char digits[24];
    int count = 0;

    do {
        digits[count++] = "0123456789abcdef"[number % base];
        number /= base;
    } while (number);
    while (count)
        add(digits[--count]);
}

static void add_signed(long long number)
{
    if (number < 0)
        add('-');
    add_number(number < 0 ? 0 - (unsigned long long)number : (unsigned long long)number, 10);
}

/* %s: a text, %d: an int, %l: a long long, %x: an unsigned long long in hexadecimal digits. */
static void say(const char *format, va_list arguments)
{
    for (; *format; format++) {
        if (*format != '%') {
            add(*format);
            continue;
        }
        switch (*++format) {
        case 's':
            for (const char *part = va_arg(arguments, const char *); *part; part++)
                add(*part);
            break;
        case 'd': add_signed(va_arg(arguments, int)); break;
        case 'l': add_signed(va_arg(arguments, long long)); break;
        default: add_number(va_arg(arguments, unsigned long long), 16); break;
        }
    }
}

void sg_say(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
}

void sg_finish(int status)
{
    add('\n');
#ifdef __linux__
    long to = syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    syscall(SYS_write, to, text, (unsigned long)length);
    syscall(SYS_exit_group, status);
#else
    int to = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (write(to, text, length) >= 0)
        _exit(status);
#endif
    for (;;)
        ;
}

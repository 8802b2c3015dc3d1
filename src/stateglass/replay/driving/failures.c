/* How code fails: what the compiler's checks, failed assertions and signals tell, and where in the code that is. */
#include "runtime.h"

#include <signal.h>
#include <stdint.h>
#include <stdlib.h>

#ifdef __linux__
#include <link.h>
#include <ucontext.h>
#endif
#ifdef __GLIBC__
#include <execinfo.h>
#endif

/* The code may have a function outside that is called like the usual one. */
#ifdef __GLIBC__
int __sigaction(int, const struct sigaction *, struct sigaction *);
#define CATCH __sigaction
#else
#define CATCH sigaction
#endif
#define FIRST_PAGE 4096

/* ---- where it is: addresses of instructions, as the file of the program numbers them */

static sg_bits frames[SG_MOST_FRAMES];
static int frame_count;

#ifdef __linux__
struct lookup { uintptr_t address, bias; int is_found, is_constant; };

/* Of all that is loaded the program itself comes first. */
static int look_up_in(struct dl_phdr_info *program, size_t size, void *data)
{
    struct lookup *lookup = data;

    (void)size;
    lookup->bias = program->dlpi_addr;
    for (int i = 0; i < program->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &program->dlpi_phdr[i];
        uintptr_t start = program->dlpi_addr + part->p_vaddr;
        if (lookup->address < start || lookup->address >= start + part->p_memsz)
            continue;
        lookup->is_found |= part->p_type == PT_LOAD;
        lookup->is_constant |= part->p_type == PT_GNU_RELRO || (part->p_type == PT_LOAD && !(part->p_flags & PF_W));
    }
    return 1;
}

static struct lookup look_up(uintptr_t address)
{
    struct lookup lookup = { address, 0, 0, 0 };

    dl_iterate_phdr(look_up_in, &lookup);
    return lookup;
}
#endif

static void add_instruction(uintptr_t address)
{
#ifdef __linux__
    struct lookup lookup = look_up(address);

    if (lookup.is_found && frame_count < SG_MOST_FRAMES)
        frames[frame_count++] = address - lookup.bias;
#else
    (void)address;
#endif
}

static int is_constant(const void *address)
{
#ifdef __linux__
    return look_up((uintptr_t)address).is_constant;
#else
    (void)address;
    return 0;
#endif
}

static void add_callers(void)
{
#ifdef __GLIBC__
    void *found[SG_MOST_FRAMES];
    int count;

    /* What it calls may be called like a function outside of the code. */
    sg_look_away();
    count = backtrace(found, SG_MOST_FRAMES);
    sg_look_again();
    /* A call stands before the place that it returns to. */
    for (int i = 0; i < count; i++)
        add_instruction((uintptr_t)found[i] - 1);
#endif
}

static void failed_below(const char *issue)
{
    add_callers();
    sg_failed(issue, "", 0, frames, frame_count);
}

/* ---- signals */

/* Where a null pointer was called there is no instruction: the call stands before the place that it returns to. */
static void add_interrupted(const void *context)
{
#if defined __linux__ && defined __x86_64__
    const greg_t *registers = ((const ucontext_t *)context)->uc_mcontext.gregs;
    uintptr_t at = (uintptr_t)registers[REG_RIP];

    add_instruction(at >= FIRST_PAGE ? at : *(const uintptr_t *)registers[REG_RSP] - 1);
#elif defined __linux__ && defined __aarch64__
    const mcontext_t *machine = &((const ucontext_t *)context)->uc_mcontext;

    add_instruction(machine->pc >= FIRST_PAGE ? machine->pc : machine->regs[30] - 1);
#else
    (void)context;
#endif
}

static void on_signal(int number, siginfo_t *info, void *context)
{
    add_interrupted(context);
    switch (number) {
    case SIGABRT: failed_below("abort"); break;
    case SIGFPE: failed_below("arithmetic-signal"); break;
    case SIGSEGV: case SIGBUS:
        if ((uintptr_t)info->si_addr < FIRST_PAGE && info->si_code > 0 && info->si_code != SI_KERNEL)
            failed_below("null-access");
        failed_below(is_constant(info->si_addr) ? "constant-access" : "memory-signal");
        break;
    default: failed_below("trap"); break;
    }
}

void sg_catch_signals(void)
{
    static const int signals[] = { SIGABRT, SIGFPE, SIGSEGV, SIGBUS, SIGILL, SIGTRAP };
    struct sigaction action = { 0 };

    action.sa_sigaction = on_signal;
    action.sa_flags = (int)(SA_SIGINFO | SA_RESETHAND | SA_NODEFER);
    for (unsigned i = 0; i < sizeof signals / sizeof signals[0]; i++)
        CATCH(signals[i], &action, 0);
#ifdef __GLIBC__
    /* The first call loads a library, which must not be done in the middle of a failure. */
    void *found[1];
    sg_look_away();
    backtrace(found, 1);
    sg_look_again();
#endif
}

__attribute__((weak)) void __assert_fail(const char *assertion, const char *file, unsigned line, const char *function)
{
    (void)assertion, (void)function;
    /* Who calls it without the macro may name any place. */
    add_callers();
    sg_failed("assertion", file, line, frames, frame_count);
    abort();
}

/* ---- functions of verification competitions, for code that does not define them; it fails where it calls them */

__attribute__((weak)) void reach_error(void)
{
    failed_below("assertion");
    abort();
}

__attribute__((weak)) void __VERIFIER_error(void)
{
    failed_below("assertion");
    abort();
}

__attribute__((weak)) void __VERIFIER_assert(int condition)
{
    if (!condition)
        failed_below("assertion");
}

__attribute__((weak)) void __VERIFIER_assume(int condition)
{
    sg_assumes(condition);
}

__attribute__((weak)) void assume_abort_if_not(int condition)
{
    sg_assumes(condition);
}

/* ---- accesses to memory, as the runtime of the address sanitizer tells of them */

const char *__asan_get_report_description(void) __attribute__((weak));

void __asan_on_error(void)
{
    failed_below(__asan_get_report_description ? __asan_get_report_description() : "memory-signal");
}

/* ---- undefined behaviour, as the compiler's checks tell of it; each begins with its place */

struct source { const char *file; uint32_t line, column; };
struct type { uint16_t kind, info; };
struct check { struct source at; const struct type *type; };
struct access_check { struct source at; const struct type *type; unsigned char log_alignment; };

static void failed_at(const char *issue, const struct source *at)
{
    sg_failed(issue, at->file ? at->file : "", at->line, frames, 0);
}

/* Numbers that are wider than a pointer are handed over by their addresses. */
static int is_zero(const struct type *type, uintptr_t value)
{
    unsigned bits = 1U << (type->info >> 1);

    if (bits <= 8 * sizeof value)
        return value == 0;
    for (unsigned i = 0; i < bits / 8; i++)
        if (((const char *)value)[i])
            return 0;
    return 1;
}

static void divides(const struct check *check, uintptr_t divisor)
{
    failed_at(is_zero(check->type, divisor) ? "integer-divide-by-zero" : "signed-integer-overflow", &check->at);
}

static void accesses(const struct access_check *check, uintptr_t pointer)
{
    uintptr_t mask = ((uintptr_t)1 << check->log_alignment) - 1;

    if (!pointer)
        failed_at("null-pointer-use", &check->at);
    failed_at(pointer & mask ? "misaligned-pointer-use" : "insufficient-object-size", &check->at);
}

/* Some compilers leave out the place: then there is the description of a type, which begins with two small numbers. */
static void casts(const struct source *at)
{
    const unsigned char *text = (const unsigned char *)at->file;

    if (text[0] + text[1] < 2 || text[0] == 0xff || text[1] == 0xff)
        failed_below("float-cast-overflow");
    failed_at("float-cast-overflow", at);
}

/* Weak: the runtime of a sanitizer may bring its own, which then tells of a report. */
#define CHECK(name, parameters, body) \
    __attribute__((weak)) void __ubsan_handle_##name parameters { body; } \
    __attribute__((weak)) void __ubsan_handle_##name##_abort parameters { body; abort(); }
#define ONE (const struct source *at, uintptr_t a)
#define TWO (const struct source *at, uintptr_t a, uintptr_t b)

CHECK(add_overflow, TWO, ((void)a, (void)b, failed_at("signed-integer-overflow", at)))
CHECK(sub_overflow, TWO, ((void)a, (void)b, failed_at("signed-integer-overflow", at)))
CHECK(mul_overflow, TWO, ((void)a, (void)b, failed_at("signed-integer-overflow", at)))
CHECK(negate_overflow, ONE, ((void)a, failed_at("signed-integer-overflow", at)))
CHECK(divrem_overflow, TWO, ((void)a, divides((const struct check *)at, b)))
CHECK(shift_out_of_bounds, TWO, ((void)a, (void)b, failed_at("invalid-shift-exponent", at)))
CHECK(out_of_bounds, ONE, ((void)a, failed_at("out-of-bounds-index", at)))
CHECK(type_mismatch_v1, ONE, accesses((const struct access_check *)at, a))
CHECK(load_invalid_value, ONE, ((void)a, failed_at("invalid-bool-load", at)))
CHECK(float_cast_overflow, ONE, ((void)a, casts(at)))
CHECK(nonnull_arg, (const struct source *at), failed_at("invalid-null-argument", at))
CHECK(invalid_builtin, (const struct source *at), failed_at("invalid-builtin-use", at))
CHECK(builtin_unreachable, (const struct source *at), failed_at("unreachable-call", at))

void __ubsan_get_current_report_data(const char **issue, const char **message, const char **file, unsigned *line,
                                     unsigned *column, char **address) __attribute__((weak));

void __ubsan_on_report(void)
{
    const char *issue = "", *message = "";
    struct source at = { 0, 0, 0 };
    unsigned line = 0, column = 0;
    char *address = 0;

    if (__ubsan_get_current_report_data)
        __ubsan_get_current_report_data(&issue, &message, &at.file, &line, &column, &address);
    at.line = line;
    failed_at(issue, &at);
}

/* Follows a run: whatever the code does is held against the next item, and the first difference ends it. */
#include "runtime.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int position;
static int is_looking;        /* looking at a variable is an access, too */
static FILE *answer;

static void finish(int status, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vfprintf(answer, format, arguments);
    va_end(arguments);
    fputc('\n', answer);
    fflush(answer);
    _exit(status);
}

static void confirm(void)
{
    finish(0, "confirmed");
}

/* The next item; when there is none, all of the run has happened. */
static const struct sg_item *expected(void)
{
    if (position >= sg_item_count)
        confirm();
    return &sg_items[position];
}

static void differs(const struct sg_item *item, const char *what)
{
    finish(1, "%s %d the code %s, where the run has %s", item->kind == SG_FAILS ? "missed" : "refuted", item->step, what,
           item->text);
}

static sg_bits seen(const struct sg_getter *getter)
{
    sg_bits found;

    is_looking++;
    found = getter->get();
    is_looking--;
    return found;
}

static int is_as_wanted(sg_bits found, int target, sg_bits value)
{
    if (target >= 0)
        return found == (sg_bits)(__UINTPTR_TYPE__)sg_targets[target].address() + value;
    return target == SG_SOMEWHERE ? found != 0 : found == value;
}

/* What was found, and what the run has instead. */
static void deviates(int step, const char *what, const char *when, sg_bits found, int target, sg_bits value,
                     const char *event)
{
    char is[40], wanted[400];

    if (target == SG_NUMBER)
        snprintf(is, sizeof is, "%lld", (long long)found);
    else
        snprintf(is, sizeof is, "%s", found ? "another address" : "null");
    if (target == SG_NUMBER)
        snprintf(wanted, sizeof wanted, "%lld", (long long)value);
    else if (target < 0)
        snprintf(wanted, sizeof wanted, "%s", target == SG_NULL ? "null" : "an address");
    else
        snprintf(wanted, sizeof wanted, value ? "&%s%+lld" : "&%s", sg_targets[target].name, (long long)value);
    finish(1, "refuted %d %s is %s%s, where the run has %s at %s", step, what, is, when, wanted, event);
}

/* What the item is about need not happen yet: only the kind of it is known to. */
static void look(const struct sg_item *item, const char *who, const char *what)
{
    for (int i = item->values; i < item->values + item->value_count; i++) {
        const struct sg_getter *getter = &sg_getters[sg_values[i].getter];
        sg_bits found = seen(getter);
        char when[200];
        if (is_as_wanted(found, sg_values[i].target, sg_values[i].value))
            continue;
        snprintf(when, sizeof when, " when the %s %s", who, what);
        deviates(item->step, getter->name, when, found, sg_values[i].target, sg_values[i].value, item->text);
    }
}

/* Values that are there for a moment are looked for whenever the code can be looked at. */
void sg_poll(void)
{
    if (is_looking)
        return;
    while (position < sg_item_count && sg_items[position].kind == SG_CHANGES) {
        const struct sg_item *item = &sg_items[position];
        for (int i = item->values; i < item->values + item->value_count; i++)
            if (!is_as_wanted(seen(&sg_getters[sg_values[i].getter]), sg_values[i].target, sg_values[i].value))
                return;
        position++;
    }
    if (position >= sg_item_count)
        confirm();
}

static const struct sg_item *happens(enum sg_kind kind, const char *what)
{
    const struct sg_item *item;

    sg_poll();
    item = expected();
    if (item->kind == SG_CHANGES)
        finish(1, "refuted %d the values of %s were not seen before the code %s", item->step, item->text, what);
    if (item->kind != kind)
        differs(item, what);
    look(item, "code", what);
    position++;
    return item;
}

void sg_begin(int item)
{
    if (position != item)
        differs(expected(), "is back with its caller");
    look(&sg_items[item], "environment", "goes on");
    position++;
    if (position >= sg_item_count)
        confirm();
}

static void same_function(const struct sg_item *item, int which, const char *what)
{
    if (item->which != which)
        differs(item, what);
}

void sg_returned(int which, int has_value, sg_bits value)
{
    const struct sg_item *item = happens(SG_RETURNS, "returns");

    same_function(item, which, "returns from another function");
    if (has_value && item->has_value && !is_as_wanted(value, item->target, item->value))
        deviates(item->step, "what the code returns", "", value, item->target, item->value, item->text);
    if (position >= sg_item_count)
        confirm();
}

int sg_called_out(int which, const sg_bits *given)
{
    const struct sg_item *item = happens(SG_CALLS_OUT, "calls a function outside");

    same_function(item, which, "calls another function outside");
    for (int i = 0; i < item->argument_count; i++) {
        const struct sg_given *wanted = &sg_arguments[item->arguments + i];
        char what[40];
        if (!wanted->is_compared || is_as_wanted(given[i], wanted->target, wanted->value))
            continue;
        snprintf(what, sizeof what, "argument %d", i + 1);
        deviates(item->step, what, "", given[i], wanted->target, wanted->value, item->text);
    }
    item = expected();
    if (item->kind != SG_COMES_BACK || item->which != which)
        differs(item, "waits for a function outside to return");
    return position++;
}

sg_bits sg_result(int item, const sg_bits *given)
{
    if (sg_items[item].handed == -2)
        return sg_items[item].value;
    return sg_items[item].handed < 0 ? 0 : given[sg_items[item].handed];
}

void sg_fill(void *object, unsigned long offset, int size, sg_bits value)
{
    char *to = (char *)object + offset;
    unsigned char one = (unsigned char)value;
    unsigned short two = (unsigned short)value;
    unsigned four = (unsigned)value;

    switch (size) {
    case 1: memcpy(to, &one, 1); break;
    case 2: memcpy(to, &two, 2); break;
    case 4: memcpy(to, &four, 4); break;
    default: memcpy(to, &value, 8); break;
    }
}

void sg_write_through(int item, int argument, void *pointer)
{
    const struct sg_item *from = &sg_items[item];

    for (int i = from->writes; i < from->writes + from->write_count; i++)
        if (sg_writes[i].argument == argument && pointer)
            sg_fill(pointer, sg_writes[i].offset, sg_writes[i].size, sg_writes[i].value);
}

void sg_ended(sg_bits status)
{
    const struct sg_item *item = happens(SG_ENDS, "ends");

    if ((status ^ item->value) & 0xffffffff)
        finish(1, "refuted %d the code ends with %d, where the run has %s", item->step, (int)status, item->text);
    confirm();
}

void sg_exit(int status)
{
    sg_ended((sg_bits)(long long)status);
}

void sg_about_to_read(const void *address, unsigned long size)
{
    sg_poll();
    for (int i = 0; i < sg_volatile_count && !is_looking; i++) {
        char *start = sg_volatiles[i].address();
        if ((const char *)address < start || (const char *)address >= start + sg_volatiles[i].size)
            continue;
        const struct sg_item *item = expected();
        if (item->kind != SG_READS)
            differs(item, "reads a volatile variable");
        if (item->which != i || address != start)
            differs(item, "reads another volatile variable");
        look(item, "code", "reads a volatile variable");
        sg_fill(start, 0, (int)size, item->value);
        position++;
        return;
    }
}

/* Whether that is the failure of the run is decided by who reads the answer. */
void sg_failed(const char *issue, const char *file, unsigned line, const unsigned long long *frames, int count)
{
    const struct sg_item *item;

    if (is_looking)
        return;
    sg_poll();
    item = expected();
    fprintf(answer, "failed %d %d\n%s\n%s\n%s\n%u\n", item->step, item->kind == SG_FAILS, item->text, issue, file, line);
    for (int i = 0; i < count; i++)
        fprintf(answer, "%#llx\n", frames[i]);
    fflush(answer);
    _exit(1);
}

int main(int argc, char **argv)
{
    answer = argc > 1 ? fopen(argv[1], "w") : stderr;
    if (!answer)
        return 2;
    sg_catch_signals();
    sg_play();
    if (position < sg_item_count) {
        sg_poll();
        differs(expected(), "has come to its end");
    }
    confirm();
}

/* Follows a run: whatever the code does is held against the next item, and the first difference ends it. */
#include "runtime.h"

static int position;
static int is_looking;        /* looking at a variable is an access, too */
static int is_unseen;         /* the call at hand is no step of the run */
static int is_started;        /* before that, variables get their first values */
static int is_begun_early;

static void confirm(void)
{
    sg_say("confirmed");
    sg_finish(0);
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
    sg_say("%s %d the code %s, ", item->kind == SG_FAILS ? "missed" : "refuted", item->step, what);
    sg_say("where the run has %s", item->text);
    sg_finish(1);
}

static sg_bits seen(const struct sg_getter *getter)
{
    sg_bits found;

    is_looking++;
    found = getter->get();
    is_looking--;
    return found;
}

static int is_same_text(const char *found, const char *wanted)
{
    while (*found && *found == *wanted)
        found++, wanted++;
    return *found == *wanted;
}

static int is_as_wanted(sg_bits found, int target, sg_bits value)
{
    if (target == SG_TEXT)
        return found && is_same_text((const char *)(__UINTPTR_TYPE__)found, sg_texts[value]);
    if (target == SG_SOMEWHERE)
        return found != 0;
    if (target >= 0) {
        is_looking++;
        value += (sg_bits)(__UINTPTR_TYPE__)sg_targets[target].address();
        is_looking--;
    }
    return found == value;
}

/* The end of what was begun to be said: what was found, when, and what the run has instead. */
static void deviates(sg_bits found, const char *when, int target, sg_bits value, const char *event)
{
    if (target == SG_NUMBER)
        sg_say(" is %l%s, where the run has %l", (long long)found, when, (long long)value);
    else if (target == SG_TEXT)
        sg_say(" is %s%s, where the run has \"%s\"", found ? "another text" : "null", when, sg_texts[value]);
    else
        sg_say(" is %s%s, where the run has ", found ? "another address" : "null", when);
    if (target >= 0)
        sg_say("&%s", sg_targets[target].name);
    if (target >= 0 && value)
        sg_say((long long)value > 0 ? "+%l" : "%l", (long long)value);
    if (target < 0 && target != SG_NUMBER && target != SG_TEXT)
        sg_say(target == SG_NULL ? "null" : "an address");
    sg_say(" at %s", event);
    sg_finish(1);
}

/* What the item is about need not happen yet: only the kind of it is known to. */
static void look(const struct sg_item *item, const char *when)
{
    for (int i = item->values; i < item->values + item->value_count; i++) {
        const struct sg_getter *getter = &sg_getters[sg_values[i].getter];
        sg_bits found = seen(getter);
        if (is_as_wanted(found, sg_values[i].target, sg_values[i].value))
            continue;
        sg_say("refuted %d %s", item->step, getter->name);
        deviates(found, when, sg_values[i].target, sg_values[i].value, item->text);
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

static const struct sg_item *happens(enum sg_kind kind, const char *what, const char *when)
{
    const struct sg_item *item;

    sg_poll();
    item = expected();
    if (item->kind == SG_CHANGES) {
        sg_say("refuted %d the values of %s were not seen before the code %s", item->step, item->text, what);
        sg_finish(1);
    }
    if (item->kind != kind)
        differs(item, what);
    look(item, when);
    position++;
    return item;
}

void sg_begin(int item)
{
    if (item == 0 && is_begun_early)
        return;
    if (position != item)
        differs(expected(), "is back with its caller");
    look(&sg_items[item], " when the environment goes on");
    position++;
    if (position >= sg_item_count)
        confirm();
}

static void same_function(const struct sg_item *item, int which, const char *what)
{
    if (item->which != which)
        differs(item, what);
}

void sg_unseen(void)
{
    is_unseen = 1;
}

void sg_returned(int which, int has_value, sg_bits value)
{
    const struct sg_item *item;

    if (is_unseen) {
        is_unseen = 0;
        return;
    }
    item = happens(SG_RETURNS, "returns", " when the code returns");

    same_function(item, which, "returns from another function");
    if (has_value && item->has_value && !is_as_wanted(value, item->target, item->value)) {
        sg_say("refuted %d what the code returns", item->step);
        deviates(value, "", item->target, item->value, item->text);
    }
    if (position >= sg_item_count)
        confirm();
}

void sg_threw(int which, int type, const char *name)
{
    const struct sg_item *item;

    sg_poll();
    item = expected();
    if (item->kind != SG_THROWS || item->which != which || item->thrown != type || type < 0) {
        sg_say("%s %d the code throws %s, ", item->kind == SG_FAILS ? "missed" : "refuted", item->step, name);
        sg_say("where the run has %s", item->text);
        sg_finish(1);
    }
    look(item, " when the code throws");
    position++;
    if (position >= sg_item_count)
        confirm();
}

/* The code of a function that something stands for is needed, and is not there. */
void sg_lacks(const char *function)
{
    sg_say("lacks %d the body of `%s` is called for another object, and the compiler has made none that a driver finds",
           expected()->step, function);
    sg_finish(1);
}

int sg_called_out(int which, const sg_bits *given)
{
    const char *what = "calls a function outside";
    const struct sg_item *item;

    if (is_looking)
        return sg_item_count;
    /* What variables start with is computed before all else; in the run that is part of the first call. */
    if (!is_started && position == 0 && sg_items[0].kind == SG_CALLS)
        position = is_begun_early = 1;
    item = happens(SG_CALLS_OUT, what, " when the code calls a function outside");

    same_function(item, which, "calls another function outside");
    for (int i = 0; i < item->argument_count; i++) {
        const struct sg_given *wanted = &sg_arguments[item->arguments + i];
        if (!wanted->is_compared || is_as_wanted(given[i], wanted->target, wanted->value))
            continue;
        sg_say("refuted %d argument %d", item->step, i + 1);
        deviates(given[i], "", wanted->target, wanted->value, item->text);
    }
    sg_poll();
    for (item = expected(); item->kind == SG_SETS || item->kind == SG_CALLS; item = expected()) {
        sg_perform(position);
        sg_poll();
    }
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
    const char *from = (const char *)(size == 1 ? (void *)&one : size == 2 ? (void *)&two : size == 4 ? (void *)&four : &value);

    for (int i = 0; i < size && i < 8; i++)
        to[i] = from[i];
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
    const struct sg_item *item = happens(SG_ENDS, "ends", " when the code ends");

    if ((status ^ item->value) & 0xffffffff) {
        sg_say("refuted %d the code ends with %d, where the run has %s", item->step, (int)status, item->text);
        sg_finish(1);
    }
    confirm();
}

void sg_exit(int status)
{
    sg_ended((sg_bits)(long long)status);
}

void sg_assumes(int condition)
{
    if (!condition)
        differs(expected(), "assumes what does not hold");
}

static char *address_of(const struct sg_volatile *variable)
{
    char *found;

    is_looking++;
    found = variable->address();
    is_looking--;
    return found;
}

void sg_about_to_read(const void *address, unsigned long size)
{
    sg_poll();
    for (int i = 0; i < sg_volatile_count && !is_looking; i++) {
        char *start = address_of(&sg_volatiles[i]);
        if ((const char *)address < start || (const char *)address >= start + sg_volatiles[i].size)
            continue;
        const struct sg_item *item = expected();
        if (item->kind != SG_READS)
            differs(item, "reads a volatile variable");
        if (item->which != i || address != start)
            differs(item, "reads another volatile variable");
        look(item, " when the code reads a volatile variable");
        sg_fill(start, 0, (int)size, item->value);
        position++;
        return;
    }
}

/* Whether that is the failure of the run is decided by who reads the answer. */
void sg_failed(const char *issue, const char *file, unsigned line, const sg_bits *frames, int count)
{
    const struct sg_item *item;

    if (is_looking)
        return;
    sg_poll();
    item = expected();
    sg_say("failed %d %d\n%s\n", item->step, (int)(item->kind == SG_FAILS), item->text);
    sg_say("%s\n%s\n%d", issue, file, (int)line);
    for (int i = 0; i < count; i++)
        sg_say("\n0x%x", frames[i]);
    sg_finish(1);
}

void sg_look_away(void)
{
    is_looking++;
}

void sg_look_again(void)
{
    is_looking--;
}

__attribute__((constructor(101))) static void prepare(void)
{
    sg_catch_signals();
}

int main(int argc, char **argv)
{
    sg_answer_in(argc > 1 ? argv[1] : "answer.txt");
    is_started = 1;
    sg_play();
    if (position < sg_item_count) {
        sg_poll();
        differs(expected(), "has come to its end");
    }
    confirm();
}

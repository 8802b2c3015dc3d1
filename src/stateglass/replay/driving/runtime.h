/* What the parts of a driver share. */
#ifndef STATEGLASS_RUNTIME_H
#define STATEGLASS_RUNTIME_H

#define SG_MOST_FRAMES 64

#ifdef __cplusplus
extern "C" {
#endif

__extension__ typedef unsigned long long sg_bits;
__extension__ typedef long long sg_signed;

enum sg_kind {
    SG_SETS, SG_CALLS, SG_RETURNS, SG_THROWS, SG_CALLS_OUT, SG_COMES_BACK, SG_READS, SG_CHANGES, SG_ENDS, SG_FAILS
};

/* In place of the number of a target: a number, a null pointer, a pointer to something without a name, to a text. */
enum { SG_NUMBER = -1, SG_NULL = -2, SG_SOMEWHERE = -3, SG_TEXT = -4 };

struct sg_item {
    enum sg_kind kind;
    int which;               /* the function, variable or place that it is about */
    int step;                /* of the evidence */
    const char *text;
    int has_value;
    int target;
    sg_bits value;           /* returned, read, or the status; behind the target if there is one */
    int handed;              /* which argument is returned; -1: null, -2: none of them */
    int thrown;              /* the type of an exception; -1: none */
    int arguments, argument_count;
    int values, value_count;
    int writes, write_count;
};

struct sg_seen { int getter; int target; sg_bits value; };
struct sg_given { int is_compared; int target; sg_bits value; };
struct sg_target { const char *name; char *(*address)(void); };
struct sg_write { int argument; unsigned long offset; int size; sg_bits value; };
struct sg_getter { const char *name; sg_bits (*get)(void); };
struct sg_volatile { const char *name; char *(*address)(void); unsigned long size; };

/* The run, written anew for each driver. */
extern const struct sg_item sg_items[];
extern const int sg_item_count;
extern const struct sg_seen sg_values[];
extern const struct sg_given sg_arguments[];
extern const struct sg_write sg_writes[];
extern const struct sg_getter sg_getters[];
extern const struct sg_target sg_targets[];
extern const char *sg_texts[];
extern const struct sg_volatile sg_volatiles[];
extern const int sg_volatile_count;
void sg_play(void);
void sg_perform(int item);

/* What the driver does step by step. */
void sg_begin(int item);
void sg_returned(int which, int has_value, sg_bits value);
void sg_threw(int which, int type, const char *name);
void sg_throw(int type);
void sg_unseen(void);
int sg_called_out(int which, const sg_bits *given);
sg_bits sg_result(int item, const sg_bits *given);
void sg_write_through(int item, int argument, void *pointer);
void sg_lacks(const char *function);
void sg_ended(sg_bits status);
void sg_exit(int status);
void sg_assumes(int condition);
void sg_poll(void);
void sg_about_to_read(const void *address, unsigned long size);
void sg_failed(const char *issue, const char *file, unsigned line, const sg_bits *frames, int count);
void sg_catch_signals(void);
void sg_look_away(void);
void sg_look_again(void);
void sg_answer_in(const char *name);
void sg_say(const char *format, ...);
void sg_finish(int status);
void sg_fill(void *object, unsigned long offset, int size, sg_bits value);

static __inline__ sg_bits sg_float_bits(float value)
{
    unsigned bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    return bits;
}

static __inline__ sg_bits sg_double_bits(double value)
{
    sg_bits bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    return bits;
}

static __inline__ float sg_bits_float(sg_bits value)
{
    unsigned bits = (unsigned)value;
    float result;
    __builtin_memcpy(&result, &bits, sizeof result);
    return result;
}

static __inline__ double sg_bits_double(sg_bits value)
{
    double result;
    __builtin_memcpy(&result, &value, sizeof result);
    return result;
}

#ifdef __cplusplus
}
#endif

#endif

/* Options of the command line: the variables start as they should, no function here has a body. */
#ifndef STATEGLASS_GETOPT_H
#define STATEGLASS_GETOPT_H

#ifdef __cplusplus
extern "C" {
#endif

#define no_argument 0
#define required_argument 1
#define optional_argument 2

struct option {
    const char *name;
    int has_arg;
    int *flag;
    int val;
};

extern char *optarg;
extern int optind;
extern int opterr;
extern int optopt;

int getopt(int count, char *const arguments[], const char *options);
int getopt_long(
    int count, char *const arguments[], const char *options, const struct option *long_options, int *index);
int getopt_long_only(
    int count, char *const arguments[], const char *options, const struct option *long_options, int *index);

#ifdef __cplusplus
}
#endif

#endif

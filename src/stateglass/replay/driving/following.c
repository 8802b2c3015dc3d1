/* What is the same in every driver, as one file: it is compiled at once. */
#define _GNU_SOURCE 1
#include "failures.c"
#include "answers.c"
#include "runtime.c"

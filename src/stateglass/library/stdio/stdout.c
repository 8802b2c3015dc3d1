#include <stdio.h>

static const char stdout_stream;

FILE *const stdout = (FILE *)&stdout_stream;

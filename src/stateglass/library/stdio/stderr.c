#include <stdio.h>

static const char stderr_stream;

FILE *const stderr = (FILE *)&stderr_stream;

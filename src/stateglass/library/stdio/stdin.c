#include <stdio.h>

static const char stdin_stream;

FILE *const stdin = (FILE *)&stdin_stream;

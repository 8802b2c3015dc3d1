#include <getopt.h>

int opterr = 1;

#include <getopt.h>

char *optarg;

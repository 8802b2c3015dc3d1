#include <getopt.h>

int optind = 1;

#include <getopt.h>

int optopt = '?';

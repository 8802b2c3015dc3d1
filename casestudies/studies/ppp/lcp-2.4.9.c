#include "ppp-2.4.9/pppd/fsm.c"
#include "surroundings.c"

#include "ppp-2.5.2/pppd/fsm.c"
#include "surroundings.c"

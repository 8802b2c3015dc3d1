#include <stddef.h>
#include "dhcpcd-10.1.0/compat/queue.h"
#include "dhcpcd-10.1.0/compat/rbtree.h"
#include "dhcpcd-10.1.0/src/arp.c"
#include "surroundings.c"
#include "loop-10.1.0.c"

#include <stddef.h>
#include "dhcpcd-9.4.1/compat/queue.h"
#include "dhcpcd-9.4.1/compat/rbtree.h"
#include "dhcpcd-9.4.1/src/arp.c"
#include "surroundings.c"
#include "loop-9.4.1.c"

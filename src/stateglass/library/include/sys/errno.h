/* Another name of errno.h. */
#include <errno.h>

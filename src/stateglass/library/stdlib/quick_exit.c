#include <stdlib.h>

void quick_exit(int status)
{
    /* By its name it is the end of the program; this body is for those who have its address. */
    quick_exit(status);
}

#include <endian.h>

uint16_t htobe16(uint16_t n)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return n;
#else
    return (uint16_t)(n << 8 | n >> 8);
#endif
}

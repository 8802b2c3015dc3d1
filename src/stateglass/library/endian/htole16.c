#include <endian.h>

uint16_t htole16(uint16_t n)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return n;
#else
    return (uint16_t)(n << 8 | n >> 8);
#endif
}

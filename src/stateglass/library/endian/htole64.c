#include <endian.h>

uint64_t htole64(uint64_t n)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return n;
#else
    return n << 56 | (n & 0xff00) << 40 | (n & 0xff0000) << 24 | (n & 0xff000000) << 8 | (n >> 8 & 0xff000000) |
        (n >> 24 & 0xff0000) | (n >> 40 & 0xff00) | n >> 56;
#endif
}

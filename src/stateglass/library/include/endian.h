/* The byte order of the target, and conversions from and to it. */
#ifndef STATEGLASS_ENDIAN_H
#define STATEGLASS_ENDIAN_H

#ifdef __cplusplus
extern "C" {
#endif

#include <stdint.h>

#define LITTLE_ENDIAN 1234
#define BIG_ENDIAN 4321
#define PDP_ENDIAN 3412
#define __LITTLE_ENDIAN LITTLE_ENDIAN
#define __BIG_ENDIAN BIG_ENDIAN
#define __PDP_ENDIAN PDP_ENDIAN

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define BYTE_ORDER BIG_ENDIAN
#else
#define BYTE_ORDER LITTLE_ENDIAN
#endif
#define __BYTE_ORDER BYTE_ORDER
#define __FLOAT_WORD_ORDER BYTE_ORDER

uint16_t htobe16(uint16_t n);
uint16_t htole16(uint16_t n);
uint16_t be16toh(uint16_t n);
uint16_t le16toh(uint16_t n);
uint32_t htobe32(uint32_t n);
uint32_t htole32(uint32_t n);
uint32_t be32toh(uint32_t n);
uint32_t le32toh(uint32_t n);
uint64_t htobe64(uint64_t n);
uint64_t htole64(uint64_t n);
uint64_t be64toh(uint64_t n);
uint64_t le64toh(uint64_t n);

#ifdef __cplusplus
}
#endif

#endif

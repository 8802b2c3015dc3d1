/* Numbers from texts, quotients, bytes in the order of the network. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <stdint.h>
#include <inttypes.h>
#include <stdlib.h>
#include <strings.h>

extern void observe(long long value);

static const char *const texts[] = {
    "", "-", "0", " 42", "-17rest", "0x1F", "0xg", "010", "zz", "2147483648", "-9223372036854775808",
    "9223372036854775808", "-99999999999999999999", "18446744073709551615", "18446744073709551616", "-1",
};

int main(void)
{
    unsigned i;
    int bases[] = {0, 10, 16, 36, 1};
    unsigned j;

    for (i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        for (j = 0; j < 5; ++j) {
            char *end = (char *)texts[i];
            errno = 0;
            observe(strtol(texts[i], &end, bases[j]));
            observe(end - texts[i]);
            observe(errno);
            errno = 0;
            observe((long long)strtoul(texts[i], &end, bases[j]));
            observe((long long)strtoull(texts[i], 0, bases[j]));
            observe(strtoll(texts[i], 0, bases[j]));
            observe(strtoimax(texts[i], 0, bases[j]));
            observe((long long)strtoumax(texts[i], 0, bases[j]));
            observe(errno);
        }
        observe(atoi(texts[i]));
        observe(atol(texts[i]));
        observe(atoll(texts[i]));
    }
    observe(abs(-5) + labs(-6L) + llabs(7LL));
    observe(div(-7, 2).quot * 10 + div(-7, 2).rem);
    observe(ldiv(7, -2).quot * 10 + lldiv(-9, -4).rem);
    observe(imaxdiv(100, 7).rem);
    observe(ffs(0) + ffs(8) * 10 + ffsll(1LL << 40) * 100);
    observe(htons(0x1234) + ntohs(0xff01));
    observe((long long)htonl(0x12345678) + (long long)ntohl(1));
    return 0;
}

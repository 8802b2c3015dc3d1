/* Our C library against the one of this machine: random and boundary inputs, the same results. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <ctype.h>
#include <endian.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define ROUNDS 3000
#define ROOM 64
#define OURS(name) extern __typeof__(name) sg_##name

/* ---- what the library asks of its machine */

void __stateglass_copy(void *to, const void *from, size_t n) { memmove(to, from, n); }
void __stateglass_apart(const void *one, size_t n, const void *other, size_t m) { (void)one, (void)n, (void)other, (void)m; }
void __stateglass_copy_apart(void *to, const void *from, size_t n) { memcpy(to, from, n); }
void *__stateglass_allocate(size_t n)
{
    size_t *block = malloc(n + sizeof *block);
    *block = n;
    return block + 1;
}
void __stateglass_release(void *p) { free((size_t *)p - 1); }
size_t __stateglass_allocated(const void *p) { return ((const size_t *)p)[-1]; }

/* ---- counting and complaining */

extern int sg_errno;
static unsigned long comparisons;
static int failures;

void check(int same, const char *name, const char *input);
void numbers_with_a_point(void);
unsigned long long random_bits(void);

void check(int same, const char *name, const char *input)
{
    ++comparisons;
    if (!same && ++failures < 20)
        printf("%s differs on \"%s\"\n", name, input);
}

static unsigned long long random_state = 88172645463325252ULL;
unsigned long long random_bits(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}
static size_t below(size_t n) { return (size_t)(random_bits() % n); }
static int sign(int n) { return (n > 0) - (n < 0); }

/* Few letters, so that texts often begin alike; sometimes bytes above 127. */
static void fill(char *text, size_t most)
{
    size_t n = below(most), i;
    for (i = 0; i < n; ++i)
        text[i] = "abAB,; \xe9"[below(8)];
    text[n] = '\0';
}

/* ---- characters */

OURS(isalnum); OURS(isalpha); OURS(isascii); OURS(isblank); OURS(iscntrl); OURS(isdigit); OURS(isgraph);
OURS(islower); OURS(isprint); OURS(ispunct); OURS(isspace); OURS(isupper); OURS(isxdigit);
OURS(tolower); OURS(toupper); OURS(toascii);
#define CLASS(name) check(!(name)(c) == !sg_##name(c), #name, text)
static void characters(void)
{
    int c;
    for (c = -1; c < 256; ++c) {
        char text[8];
        sprintf(text, "%d", c);
        CLASS(isalnum); CLASS(isalpha); CLASS(isascii); CLASS(isblank); CLASS(iscntrl); CLASS(isdigit);
        CLASS(isgraph); CLASS(islower); CLASS(isprint); CLASS(ispunct); CLASS(isspace); CLASS(isupper);
        CLASS(isxdigit);
        check(tolower(c) == sg_tolower(c), "tolower", text);
        check(toupper(c) == sg_toupper(c), "toupper", text);
        check((toascii)(c) == sg_toascii(c), "toascii", text);
    }
}

/* ---- texts that are looked at */

OURS(strlen); OURS(strnlen); OURS(strcmp); OURS(strcoll); OURS(strncmp); OURS(strcasecmp); OURS(strncasecmp);
OURS(strchr); OURS(strrchr); OURS(strchrnul); OURS(index); OURS(rindex); OURS(strspn); OURS(strcspn);
OURS(strcasestr); OURS(memcmp); OURS(bcmp); OURS(memchr); OURS(memrchr); OURS(rawmemchr); OURS(memmem);
extern char *sg_strstr(const char *, const char *);
extern char *sg_strpbrk(const char *, const char *);
static void searches(void)
{
    char a[ROOM], b[ROOM];
    size_t n = below(20);
    int c = (unsigned char)"abAB,; \xe9\0x"[below(10)];
    fill(a, ROOM / 2);
    fill(b, below(3) ? 4 : ROOM / 2);
    if (below(4) == 0)
        memcpy(b, a, sizeof b);
    check(strlen(a) == sg_strlen(a), "strlen", a);
    check(strnlen(a, n) == sg_strnlen(a, n), "strnlen", a);
    check(sign(strcmp(a, b)) == sign(sg_strcmp(a, b)), "strcmp", a);
    check(sign(strcoll(a, b)) == sign(sg_strcoll(a, b)), "strcoll", a);
    check(sign(strncmp(a, b, n)) == sign(sg_strncmp(a, b, n)), "strncmp", a);
    check(sign(strcasecmp(a, b)) == sign(sg_strcasecmp(a, b)), "strcasecmp", a);
    check(sign(strncasecmp(a, b, n)) == sign(sg_strncasecmp(a, b, n)), "strncasecmp", a);
    check(strchr(a, c) == sg_strchr(a, c), "strchr", a);
    check(strrchr(a, c) == sg_strrchr(a, c), "strrchr", a);
    check(strchrnul(a, c) == sg_strchrnul(a, c), "strchrnul", a);
    check(index(a, c) == sg_index(a, c), "index", a);
    check(rindex(a, c) == sg_rindex(a, c), "rindex", a);
    check(strstr(a, b) == sg_strstr(a, b), "strstr", a);
    check(strcasestr(a, b) == sg_strcasestr(a, b), "strcasestr", a);
    check(strspn(a, b) == sg_strspn(a, b), "strspn", a);
    check(strcspn(a, b) == sg_strcspn(a, b), "strcspn", a);
    check(strpbrk(a, b) == sg_strpbrk(a, b), "strpbrk", a);
    check(sign(memcmp(a, b, strlen(b))) == sign(sg_memcmp(a, b, strlen(b))), "memcmp", a);
    check(!bcmp(a, b, strlen(b)) == !sg_bcmp(a, b, strlen(b)), "bcmp", a);
    check(memchr(a, c, strlen(a) + 1) == sg_memchr(a, c, strlen(a) + 1), "memchr", a);
    check(memrchr(a, c, strlen(a) + 1) == sg_memrchr(a, c, strlen(a) + 1), "memrchr", a);
    check(rawmemchr(a, 0) == sg_rawmemchr(a, 0), "rawmemchr", a);
    check(memmem(a, strlen(a), b, strlen(b)) == sg_memmem(a, strlen(a), b, strlen(b)), "memmem", a);
}

/* ---- texts that are written */

OURS(memcpy); OURS(memmove); OURS(mempcpy); OURS(memccpy); OURS(memset); OURS(bzero); OURS(explicit_bzero);
OURS(bcopy); OURS(strcpy); OURS(stpcpy); OURS(strncpy); OURS(stpncpy); OURS(strxfrm); OURS(strcat); OURS(strncat);
OURS(strtok); OURS(strtok_r); OURS(strsep); OURS(strdup); OURS(strndup); OURS(strerror);
extern size_t sg_strlcpy(char *, const char *, size_t);
extern size_t sg_strlcat(char *, const char *, size_t);
static char one[2 * ROOM], two[2 * ROOM];
#define BOTH(name, expected, actual) \
    do { \
        long e_ = (long)(expected), a_ = (long)(actual); \
        check(e_ == a_ && memcmp(one, two, sizeof one) == 0, name, source); \
    } while (0)
#define AT_ONE(p) ((p) == NULL ? -1 : (char *)(p) - one)
#define AT_TWO(p) ((p) == NULL ? -1 : (char *)(p) - two)
static void messages(void)
{
    int number;
    for (number = -20; number < 300; ++number)
        check(strcmp(strerror(number), sg_strerror(number)) == 0, "strerror", strerror(number));
    check(strcmp(strerror(2147483647), sg_strerror(2147483647)) == 0, "strerror", "the last number");
    check(strcmp(strerror(-2147483647 - 1), sg_strerror(-2147483647 - 1)) == 0, "strerror", "the first number");
}
static void same_start(void)
{
    size_t i;
    for (i = 0; i < sizeof one; ++i)
        one[i] = "abAB,; \xe9"[below(8)];
    one[below(ROOM / 2)] = '\0';
    memcpy(two, one, sizeof one);
}
static void writes(void)
{
    char source[ROOM], copy[2 * ROOM];
    size_t n = below(24), from = below(20), to = below(20), length;
    char *p, *q, *r, *s;
    fill(source, 20);
    length = strlen(source);
    same_start();
    BOTH("memcpy", AT_ONE(memcpy(one, source, n)), AT_TWO(sg_memcpy(two, source, n)));
    BOTH("memmove", AT_ONE(memmove(one + to, one + from, n)), AT_TWO(sg_memmove(two + to, two + from, n)));
    BOTH("mempcpy", AT_ONE(mempcpy(one, source, n)), AT_TWO(sg_mempcpy(two, source, n)));
    BOTH("memccpy", AT_ONE(memccpy(one, source, ';', n)), AT_TWO(sg_memccpy(two, source, ';', n)));
    BOTH("memset", AT_ONE(memset(one + to, 300, n)), AT_TWO(sg_memset(two + to, 300, n)));
    BOTH("bzero", (bzero(one, n), 0), (sg_bzero(two, n), 0));
    BOTH("explicit_bzero", (explicit_bzero(one, n), 0), (sg_explicit_bzero(two, n), 0));
    BOTH("bcopy", (bcopy(source, one, n), 0), (sg_bcopy(source, two, n), 0));
    same_start();
    BOTH("strcpy", AT_ONE(strcpy(one, source)), AT_TWO(sg_strcpy(two, source)));
    BOTH("stpcpy", AT_ONE(stpcpy(one, source)), AT_TWO(sg_stpcpy(two, source)));
    BOTH("strncpy", AT_ONE(strncpy(one, source, n)), AT_TWO(sg_strncpy(two, source, n)));
    BOTH("stpncpy", AT_ONE(stpncpy(one, source, n)), AT_TWO(sg_stpncpy(two, source, n)));
    same_start();
    length = strxfrm(one, source, 0);
    check(length == sg_strxfrm(two, source, 0), "strxfrm", source);
    BOTH("strcat", AT_ONE(strcat(one, source)), AT_TWO(sg_strcat(two, source)));
    same_start();
    BOTH("strncat", AT_ONE(strncat(one, source, n)), AT_TWO(sg_strncat(two, source, n)));
    /* Two functions that this machine's library need not have: by what they promise. */
    same_start();
    check(sg_strlcpy(two, source, n) == strlen(source), "strlcpy", source);
    if (n > 0)
        snprintf(one, n, "%s", source);
    check(memcmp(one, two, sizeof one) == 0, "strlcpy", source);
    same_start();
    length = strnlen(one, n);
    check(sg_strlcat(two, source, n) == length + strlen(source), "strlcat", source);
    strcpy(copy, one);
    if (length < n)
        snprintf(one, n, "%s%s", copy, source);
    check(memcmp(one, two, sizeof one) == 0, "strlcat", source);
    same_start();
    for (p = one, q = two; p != NULL && q != NULL;) {
        p = strtok(p == one ? p : NULL, ",;");
        q = sg_strtok(q == two ? q : NULL, ",;");
        BOTH("strtok", AT_ONE(p), AT_TWO(q));
        if (p == one || q == two)
            break;
    }
    same_start();
    p = strtok_r(one, ", ", &r);
    q = sg_strtok_r(two, ", ", &s);
    BOTH("strtok_r", AT_ONE(p), AT_TWO(q));
    while (p != NULL && q != NULL) {
        p = strtok_r(NULL, ", ", &r);
        q = sg_strtok_r(NULL, ", ", &s);
        BOTH("strtok_r", AT_ONE(p), AT_TWO(q));
    }
    same_start();
    for (p = one, q = two; p != NULL && q != NULL;) {
        char *e = strsep(&p, ",a"), *a = sg_strsep(&q, ",a");
        BOTH("strsep", AT_ONE(e), AT_TWO(a));
        BOTH("strsep", AT_ONE(p), AT_TWO(q));
    }
    p = sg_strdup(source);
    check(strcmp(p, source) == 0, "strdup", source);
    q = sg_strndup(source, n);
    r = strndup(source, n);
    check(strcmp(q, r) == 0, "strndup", source);
    free(r);
    __stateglass_release(p);
    __stateglass_release(q);
}

/* ---- numbers */

OURS(abs); OURS(labs); OURS(llabs); OURS(imaxabs); OURS(div); OURS(ldiv); OURS(lldiv); OURS(imaxdiv);
OURS(atoi); OURS(atol); OURS(atoll); OURS(strtol); OURS(strtoul); OURS(strtoll); OURS(strtoull);
OURS(strtoimax); OURS(strtoumax); OURS(ffs); OURS(ffsl); OURS(ffsll);
static const char *const numbers[] = {
    "", " ", "+", "-", "0", "-0", "0x", "0X", "0xg", "0x1F", "-0x1f", "010", "08", "1z", "zz", "ZZ", " \t\n\v\f\r42rest",
    "+-1", "- 1", "2147483647", "2147483648", "-2147483648", "-2147483649", "4294967295", "4294967296", "-1",
    "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
    "18446744073709551615", "18446744073709551616", "-18446744073709551615", "-18446744073709551616",
    "99999999999999999999999", "-99999999999999999999999", "0x7fffffffffffffff", "0xffffffffffffffff",
    "0x10000000000000000", "12,5", "1e3", "0b1", "00000000000000000000000000000000000000001",
};
static void random_number(char *text)
{
    size_t n = below(24), i;
    *text++ = " -+0"[below(4)];
    for (i = 0; i < n; ++i)
        *text++ = "0123456789abfxXzZ \0"[below(below(4) ? 10 : 19)];
    *text = '\0';
}
#define PARSE(name) \
    do { \
        char *e_ = (char *)text, *a_ = (char *)text; \
        __typeof__(name(text, &e_, base)) expected_, actual_; \
        errno = sg_errno = 0; \
        expected_ = name(text, &e_, base); \
        actual_ = sg_##name(text, &a_, base); \
        check(expected_ == actual_ && e_ == a_ && errno == sg_errno, #name, text); \
        check(sg_##name(text, NULL, base) == expected_, #name, text); \
    } while (0)
static void parse(const char *text, int base)
{
    PARSE(strtol); PARSE(strtoul); PARSE(strtoll); PARSE(strtoull); PARSE(strtoimax); PARSE(strtoumax);
    check(atoi(text) == sg_atoi(text), "atoi", text);
    check(atol(text) == sg_atol(text), "atol", text);
    check(atoll(text) == sg_atoll(text), "atoll", text);
}
#define DIVIDE(name, type) \
    do { \
        type d_ = (type)b == 0 || (type)b == -1 ? 7 : (type)b; \
        __typeof__(name(1, 1)) e_ = name((type)a, d_), a_ = sg_##name((type)a, d_); \
        check(e_.quot == a_.quot && e_.rem == a_.rem, #name, "numbers"); \
    } while (0)
static void arithmetic(void)
{
    long long a = (long long)(random_bits() >> below(64)), b = (long long)(random_bits() >> below(64));
    a = below(2) ? a : -a;
    b = below(2) ? b : -b;
    DIVIDE(div, int); DIVIDE(ldiv, long); DIVIDE(lldiv, long long); DIVIDE(imaxdiv, intmax_t);
    if ((int)a != INT_MIN)
        check(abs((int)a) == sg_abs((int)a), "abs", "numbers");
    if (a != LLONG_MIN)
        check(labs(a) == sg_labs(a) && llabs(a) == sg_llabs(a) && imaxabs(a) == sg_imaxabs(a), "labs", "numbers");
    check(ffs((int)a) == sg_ffs((int)a) && ffsl(a) == sg_ffsl(a) && ffsll(a) == sg_ffsll(a), "ffs", "numbers");
    check(sg_ffs(0) == 0 && sg_ffs(INT_MIN) == ffs(INT_MIN), "ffs", "0");
}

/* ---- bytes in order, sets of signals */

extern uint16_t sg_htons(uint16_t), sg_ntohs(uint16_t), sg_htobe16(uint16_t), sg_htole16(uint16_t);
extern uint16_t sg_be16toh(uint16_t), sg_le16toh(uint16_t);
extern uint32_t sg_htonl(uint32_t), sg_ntohl(uint32_t), sg_htobe32(uint32_t), sg_htole32(uint32_t);
extern uint32_t sg_be32toh(uint32_t), sg_le32toh(uint32_t);
extern uint64_t sg_htobe64(uint64_t), sg_htole64(uint64_t), sg_be64toh(uint64_t), sg_le64toh(uint64_t);
extern int sg_sigemptyset(void *), sg_sigfillset(void *), sg_sigaddset(void *, int), sg_sigdelset(void *, int);
extern int sg_sigismember(const void *, int);
static void bytes(void)
{
    uint64_t n = random_bits();
    uint16_t h = (uint16_t)n;
    uint32_t w = (uint32_t)n;
    check(htons(h) == sg_htons(h) && ntohs(h) == sg_ntohs(h), "htons", "numbers");
    check(htonl(w) == sg_htonl(w) && ntohl(w) == sg_ntohl(w), "htonl", "numbers");
    check(htobe16(h) == sg_htobe16(h) && be16toh(h) == sg_be16toh(h), "htobe16", "numbers");
    check(htobe32(w) == sg_htobe32(w) && be32toh(w) == sg_be32toh(w), "htobe32", "numbers");
    check(htobe64(n) == sg_htobe64(n) && be64toh(n) == sg_be64toh(n), "htobe64", "numbers");
    check(htole16(h) == sg_htole16(h) && le16toh(h) == sg_le16toh(h), "htole16", "numbers");
    check(htole32(w) == sg_htole32(w) && le32toh(w) == sg_le32toh(w), "htole32", "numbers");
    check(htole64(n) == sg_htole64(n) && le64toh(n) == sg_le64toh(n), "htole64", "numbers");
}
static void signal_sets(void)
{
    /* The system keeps two signals to itself. */
    int signals[] = {-1, 0, 1, 2, 9, 15, 31, 34, 64, 65}, i, round;
    sigset_t theirs;
    unsigned long long ours;
    check(sigemptyset(&theirs) == sg_sigemptyset(&ours), "sigemptyset", "");
    for (round = 0; round < 200; ++round) {
        int s = signals[below(10)], add = below(2) != 0;
        int expected = add ? sigaddset(&theirs, s) : sigdelset(&theirs, s);
        check(expected == (add ? sg_sigaddset(&ours, s) : sg_sigdelset(&ours, s)), "sigaddset", "");
        if (round % 50 == 49)
            check(sigfillset(&theirs) == sg_sigfillset(&ours), "sigfillset", "");
        for (i = 0; i < 10; ++i)
            check(sigismember(&theirs, signals[i]) == sg_sigismember(&ours, signals[i]), "sigismember", "");
    }
}

/* ---- sorting, memory */

OURS(qsort); OURS(bsearch);
struct element {
    int key, number;
    char rest[80];
};
static int by_key(const void *a, const void *b)
{
    return ((const struct element *)a)->key - ((const struct element *)b)->key;
}
static int by_letter(const void *a, const void *b) { return *(const unsigned char *)a - *(const unsigned char *)b; }
static void sorting(void)
{
    static struct element elements[40];
    char text[ROOM], other[ROOM];
    size_t n = below(40), i;
    struct element key;
    fill(text, 40);
    memcpy(other, text, sizeof text);
    qsort(text, strlen(text), 1, by_letter);
    sg_qsort(other, strlen(other), 1, by_letter);
    check(strcmp(text, other) == 0, "qsort", text);
    for (i = 0; i < n; ++i) {
        elements[i].key = (int)below(20);
        elements[i].number = (int)i;
        memset(elements[i].rest, (int)i, sizeof elements[i].rest);
    }
    sg_qsort(elements, n, sizeof elements[0], by_key);
    for (i = 0; i < n; ++i) {
        struct element *e = &elements[i];
        check(e->rest[0] == e->number && e->rest[79] == e->number, "qsort", "elements stay whole");
        if (i > 0)
            check(e[-1].key < e->key || (e[-1].key == e->key && e[-1].number < e->number), "qsort", "stable");
    }
    key.key = (int)below(20);
    {
        struct element *expected = bsearch(&key, elements, n, sizeof key, by_key);
        struct element *actual = sg_bsearch(&key, elements, n, sizeof key, by_key);
        check(!expected == !actual && (!actual || actual->key == key.key), "bsearch", "elements");
    }
}
OURS(malloc); OURS(calloc); OURS(realloc); OURS(free); OURS(reallocarray); OURS(aligned_alloc);
static void memory(void)
{
    size_t n = 1 + below(60), m = 1 + below(60), i;
    unsigned char *p = sg_malloc(n), *q, *c = sg_calloc(n, m);
    int kept = 1, zero = 1;
    for (i = 0; i < n * m; ++i)
        zero &= c[i] == 0;
    check(zero, "calloc", "zeros");
    check(sg_calloc((size_t)-1, 2) == NULL && sg_reallocarray(NULL, (size_t)-1, 2) == NULL, "calloc", "overflow");
    memset(p, 7, n);
    q = below(2) ? sg_realloc(p, m) : sg_reallocarray(p, m, 1);
    for (i = 0; i < (n < m ? n : m); ++i)
        kept &= q[i] == 7;
    check(kept && __stateglass_allocated(q) == m, "realloc", "kept");
    check(sg_realloc(q, 0) == NULL, "realloc", "0");
    p = sg_realloc(NULL, n);
    check(__stateglass_allocated(p) == n, "realloc", "null");
    sg_free(p);
    sg_free(c);
    sg_free(NULL);
    sg_free(sg_aligned_alloc(16, n));
}

int main(void)
{
    int base, round;
    size_t i;
    characters();
    messages();
    for (i = 0; i < sizeof numbers / sizeof numbers[0]; ++i)
        for (base = -1; base <= 38; ++base)
            parse(numbers[i], base);
    for (round = 0; round < ROUNDS; ++round) {
        char text[ROOM];
        searches();
        writes();
        random_number(text);
        parse(text, (int)below(37));
        arithmetic();
        bytes();
        sorting();
        memory();
    }
    signal_sets();
    numbers_with_a_point();
    printf("%lu comparisons, %d differences\n", comparisons, failures);
    return failures != 0;
}

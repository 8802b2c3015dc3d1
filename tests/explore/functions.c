#include <string.h>
#include <stdbool.h>
typedef unsigned char u8; typedef signed char s8; typedef unsigned short u16;
enum mode { OFF, ON, BROKEN = 7 };
struct inner { s8 a; u16 b : 3, c : 9; int d; };
struct pair { int first, second; struct inner in; u8 bytes[4]; };
union both { unsigned whole; u8 parts[4]; struct { u16 low, high; } halves; float real; };
int g, h; unsigned u; u8 small; s8 signed_small; bool flag; enum mode mode; long long wide;
int array[5]; u8 grid[2][3]; struct pair one, two; union both both; int *pointer; struct pair *pairs;
static int twice(int x) { return 2 * x; } static int thrice(int x) { return 3 * x; }
static int (*chosen)(int);
volatile int port; extern int sensor(void); extern void fill(int *where); extern void look(const int *where);
extern int tell(int x, struct pair *p);

//// loop
int f(u8 n) { int s = 0; for (int i = 0; i < (n & 7); i++) s += i * g; return s; }

//// nested_breaks
void f(u8 n, u8 m) { for (int i = 0; i < (n & 3) + 1; i++) { for (int j = 0; j < 4; j++) {
    if (j == (m & 3)) break; if (array[j] == i) continue; h += array[j] & 15; if (h & 64) goto out; } g ^= h; }
    out: small = n; }

//// fall_through
int f(u8 n) { int r = 0; switch (n & 7) { case 0: r = 1; case 1: r += 2; break; case 2: return g;
    case 3 ... 5: r = 9; case 6: r++; default: r--; } return r; }

//// switch_into_loop
int f(u8 n) { int i = 0; switch (n & 3) { case 0: do { i++; case 1: i += 2; case 2: i += 3; }
    while (i < 9); } return i; }

//// irreducible
int f(u8 n) { int i = 0; if (n & 1) goto inside; again: if (i > 5) return i; i += 2;
    inside: i++; if (i & (n >> 4)) goto again; if (i < 4) goto inside; return -i; }

//// goto_out_and_back
void f(u8 n) { int i = 0; while (i < 5) { i++; if (i == (n & 7)) goto away; back: g = i; }
    return; away: h++; if (h < 20 && h > 0) goto back; }

//// recursion
static int down(int n) { return n <= 0 ? g : down(n - 1) + n; } int f(u8 n) { return down(n & 3); }

//// mutual
static int odd(int n); static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
    static int odd(int n) { return n == 0 ? 0 : even(n - 1); } int f(u8 n) { return even(n & 3); }

//// without_bound
static int deep(int n) { return n == 3 ? 1 : deep(n + 1); } int f(u8 n) { return deep(n); }

//// function_pointers
int f(u8 n) { int (*p)(int) = n & 1 ? twice : n & 2 ? thrice : 0; return p(h & 255); }

//// stored_function_pointer
int f(u8 n) { if (n == 1) chosen = twice; return chosen ? chosen(n) : -1; }

//// pointers
int f(u8 n) { int x = n, y = 5; int *p = n & 1 ? &x : n & 2 ? &y : &g; *p += 3; int **q = &p;
    **q ^= 1; return x + y; }

//// pointer_global
int f(u8 n) { if (pointer == &array[3]) *pointer = n; return pointer ? *pointer == n : -1; }

//// pointer_arithmetic
int f(u8 n) { int *p = array + (n & 7); if (p < array + 5) { *p = 1; return (int)(p - array); }
    return *(p - 4); }

//// record_pointer
void f(u8 n) { struct pair *p = n & 1 ? &one : &two; p->first = n; p->in.c = n; pairs = p; }

//// unknown_record_pointer
int f(u8 n) { if (!pairs) return -1; pairs->bytes[n & 3]++; return pairs->in.b; }

//// symbolic_index
void f(u8 n, u8 m) { array[n & 7] = array[m % 5] + 1; grid[n & 1][m % 3] ^= n; }

//// negative_index
int f(s8 n) { return array[n]; }

//// records
struct pair f(u8 n) { struct pair p = one; p.in.a = (s8)n; if (n & 1) p = two; two.in = p.in; return p; }

//// record_at_several
void f(u8 n) { struct pair p[2] = {{1}, {2}}; p[n & 1].second = n; one = p[n & 3]; }

//// record_through_pointer
void f(struct pair *p, u8 n) { struct pair *q = n & 1 ? p : &one; two = *q; q->first++; }

//// bit_fields
int f(u8 n) { one.in.b = n; one.in.c += n; two.in.b--; return one.in.b * two.in.c; }

//// unions
int f(u8 n) { both.parts[n & 3] = n; both.halves.low ^= 0x101; return both.whole == n; }

//// memcpy
void f(u8 n) { memcpy(&two, &one, sizeof one); memmove(array + 1, array, (n & 1) ? 8 : 12); g = array[2]; }

//// memcpy_overlapping
void f(u8 n) { memcpy(array + (n & 1 ? 1 : 3), array, (n & 2) ? 4 : 8); memcpy(grid[0], grid[0], 3); g = array[3]; }

//// memcpy_overlapping_some
void f(u8 n) { u8 *p = &grid[0][0]; memcpy(p + (n & 4 ? 2 : 0), p + (n & 8 ? 3 : 2), n & 3); }

//// strings_overlapping
int f(u8 n) { char t[8] = "abc"; strcpy(t + (n & 1 ? 2 : 4), t); return t[4]; }

//// strange_truth
int f(u8 n) { bool b = flag; memcpy(&b, &n, n & 64 ? 0 : 1); bool c; memcpy(&c, &b, 1); if (n & 32) return 1; return c; }

//// misaligned
int f(u8 n) { u8 *p = one.bytes - (n & 4) + (n & 1); int *q = (int *)p; int *r = &*q; return n & 2 ? *r : r == q; }

//// misaligned_member
int f(u8 n) { struct pair *p = (struct pair *)((char *)&one + (n & 3)); int *q = &p->second; return n & 4 ? *q : 1; }

//// container
#include <stddef.h>
    struct node { int v; struct node *next; }; struct box { int a, b; struct node n; }; struct box box; struct node head;
    int f(u8 n) { struct node *p = n & 1 ? &box.n : &head;
    struct box *b = (struct box *)((char *)p - offsetof(struct box, n)); if (&b->n == &head) return -1;
    if (n & 4) return b->a; struct node *back = &b->n; return (back == p) + (n & 8 ? (char *)b < (char *)&box : 0); }

//// astray
#include <stddef.h>
    struct node { int v; struct node *next; }; struct box { int a, b; struct node n; }; struct node head;
    int f(u8 n) { char *p = (char *)&head - offsetof(struct box, n); if (n & 1) return ((struct box *)p)->a;
    if (n & 2) return ((struct box *)p)->n.v; if (n & 4) return p < (char *)&head; if (n & 8) return (int)(long)p;
    p += 12; if (n & 16) p -= 200; return *(p + offsetof(struct box, n) - 12 + (n & 16 ? 200 : 0)); }

//// far_member
struct large { char room[40]; int last; }; struct large large;
    int f(u8 n) { struct large *p = n & 1 ? &large : (struct large *)&g; return n & 2 ? p->last : p->room[n & 31]; }

//// memcpy_parts
unsigned f(unsigned x) { u8 b[4]; memcpy(b, &x, 4); b[1] = 3; unsigned y; memcpy(&y, b, 4); return y; }

//// memcpy_some
void f(u8 n) { memcpy(grid[1], grid[0], n & 3); memset(one.bytes, n, 4); }

//// compare_memory
int f(u8 n) { one.bytes[0] = n; return memcmp(one.bytes, two.bytes, 4) < 0; }

//// uninitialised
int f(u8 n) { int x; if (n & 1) x = n; if (n & 2) return x; return 0; }

//// uninitialised_record
int f(u8 n) { struct pair p; if (n & 1) p.first = 1; struct pair q = p; return q.first; }

//// uninitialised_part
unsigned f(u8 n) { union both b; b.parts[0] = n; if (n & 1) b.parts[1] = 1; return b.parts[n & 1]; }

//// written_piece_by_piece
unsigned f(u8 n) { unsigned x; u8 *p = (u8 *)&x; for (int i = 0; i < 4; i++) p[i] = n + i;
    return x; }

//// missing_return
static int g2(u8 n) { if (n & 1) return 5; } int f(u8 n) { int x = g2(n); return n & 2 ? x : 1; }

//// dangling
static int *keep(int x) { int y = x; return &y; } int f(u8 n) { int *p = keep(n); return n & 1 ? *p : 0; }

//// early_returns
int f(u8 n) { if (n == 0) return 1; if (g > 10) { g = 10; return 2; } if (flag) { flag = false;
    return 3; } mode = n & 1 ? ON : BROKEN; return mode; }

//// faults
int f(int a, int b) { if (g == 1) return a / b; if (g == 2) return a + b; if (g == 3) return a << b; return -a; }

//// faults_in_order
int f(int a, u8 n) { return array[n] + a / (n & 1) + (a + 1) * a; }

//// unsigned_numbers
unsigned f(unsigned a, u8 n) { u = a * 3 - n; u >>= n & 31; return u / (n | 1) % 7; }

//// wide
long long f(long long a, u8 n) { wide = a / (n + 1) ^ wide; return wide >> (n & 63); }

//// conversions
int f(int a) { signed_small = (s8)a; small = (u8)signed_small; flag = a; return signed_small + small + flag; }

//// short_circuit
int f(u8 n) { return (n && 10 / n > 3) || (pointer && *pointer == n) ? g++ : --h; }

//// volatile_inputs
int f(void) { int a = port; if (a > 3) a += port & 7; port = a; return a; }

//// outside
int f(u8 n) { int x = sensor(); if (n & 1) fill(&x); look(&x); return x & 255; }

//// outside_writes
int f(u8 n) { if (n & 1) { one.first = tell(n, &one); } return one.bytes[2] + one.in.b; }

//// outside_arrays
int f(u8 n) { int x[3] = {1, 2, 3}; fill(x); return (x[n % 3] & 7) + (x[0] & 7); }

//// assertions
#include <assert.h>
void f(u8 n) { assert(n != 9); g = n; }

//// exits
#include <stdlib.h>
void f(u8 n) { if (n == 9) exit(3); if (n == 8) abort(); g = n; }

//// static_local
int f(void) { static u8 count = 3; if (count++ > 250) count = 0; return count; }

//// variadic
#include <stdarg.h>
    static int sum(int n, ...) { va_list l; va_start(l, n); int s = 0; for (int i = 0; i < n; i++) s += va_arg(l, int);
    va_end(l); return s; } int f(u8 n) { return sum(n & 1 ? 2 : 3, (int)n, 2, 3); }

//// heap
#include <stdlib.h>
    int f(u8 n) { int *p = malloc(8); if (!p) return -1; p[0] = n; p[1] = 2; int r = p[n & 1]; free(p); return r; }

//// length_known_late
int f(u8 n) { int m = 3; int x[m]; for (int i = 0; i < m; i++) x[i] = i + n; return x[n % 3]; }

//// length_of_an_input
int f(s8 n) { if (n > 9) return -1; int x[n]; x[0] = 1; if (n > 2) x[2] = 3;
    return g & 1 ? x[g & 3] : 0; }

//// scopes
int f(u8 n) { int s = 0; for (int i = 0; i < 3; i++) { int x; if (i == 0) x = n; else x = i; s += x; } return s; }

//// pointer_into_scope
int f(u8 n) { int *p = &g; { int x = n; if (n & 1) p = &x; *p = 1; } return n & 2 ? *p : 0; }

//// constants
static const u8 table[4] = {3, 1, 4, 1}; int f(u8 n) { return table[n & 3] + "abc"[n & 1]; }

//// write_constants
static const int fixed = 3; int f(u8 n) { int *p = n & 1 ? (int *)&fixed : &g; *p = 2; return fixed; }

//// comma_and_increments
int f(u8 n) { int i = n & 3; int a = (i++, i++ + 2); array[i % 5] = a--; return a + i; }

//// do_while
int f(u8 n) { int i = 0; do { if (++i == (n & 7)) continue; g = i; } while (i < 4); return i; }

//// literal_in_a_loop
int f(u8 n) { int i = 0; again: { g = *&(int){2}; } if (++i < 2 && n > 3) goto again; return i; }

//// beyond_the_end
int f(int (*v)[3][3], u8 n) { int (*w)[3][3] = v + (n & 1); return (*w)[n & 1 ? 2 : 0][2] & 7; }

//// jump_into_scope
int f(u8 n) { int r = 0; if (n & 1) goto in; { int x = n; int *p = &x; r = *p; in: x = 3; r += x; } return r; }

//// without_return
extern _Noreturn void die(int *p); int f(u8 n) { if (n == 1) die(&g); if (n & 2) { g = n; return 1; } return 0; }

//// pointer_from_outside
extern int *where(void); int f(u8 n) { if (n & 1) return *where(); return 3; }

//// bit_field_counted
int f(u8 n) { int old = one.in.c--; return (int)two.in.c++ + old + (n ? one.in.b++ : 0); }

//// large_array
int f(u8 n) { static int many[30000]; int *p = many; p[n & 3] = n; many[g & 7]++; return *(p + (h & 3)) & 15; }

//// fixed_addresses
int f(u8 n) { int *p = n & 1 ? (int *)8 : &g; if (n & 4) return 1; *p = 2; if (n & 8) *(volatile int *)0x40001000 = 1; return 0; }

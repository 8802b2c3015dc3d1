/* A lock with two keys, whose product is known: whether a row of turns opens it is a hard question. */
#include <assert.h>

extern unsigned long long turn(void);

int main(void)
{
    unsigned long long first = turn(), second = turn(), position = 0;

    if (first < 2 || second < 2 || first >= 4294967296u || second >= 4294967296u)
        return 0;
    while (turn())
        position = position * first + second;
    assert(first * second != 18446743979220271189u || position != 12345678912345677u);
    return 0;
}

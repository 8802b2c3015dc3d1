/* The same value under each abstraction, and what is known of sums of two that are abstracted otherwise. */
int get(void);

int a_top, a_minmax, a_mod, a_part, an_int, a_bool, a_free, several[2];
int by4, by6, sum[9];

int main(void)
{
    int value = 2 + (get() != 0);   /* 2 or 3 */

    a_top = value;
    a_minmax = value;
    a_mod = value;
    a_part = value;
    an_int = value;
    a_bool = value;
    a_free = value;
    several[1] = 5;
    by4 = 2;
    by6 = 2;

    sum[0] = a_top + a_minmax;
    sum[1] = a_minmax + a_mod;
    sum[2] = a_minmax + a_part;
    sum[3] = a_minmax + several[1];
    sum[4] = by4 + by6;
    sum[5] = a_mod + a_part;
    sum[6] = a_mod + several[1];
    sum[7] = a_part + a_part;
    sum[8] = a_part + several[1];
    return 0;
}

#include <stateglass/parts.h>

int __stateglass_rounds_up(const struct __stateglass_decimal *decimal, int count)
{
    if (count < 0 || count >= decimal->count)
        return 0;
    if (decimal->digits[count] != 5)
        return decimal->digits[count] > 5;
    if (count + 1 < decimal->count || decimal->more)
        return 1;
    return count > 0 && decimal->digits[count - 1] % 2 != 0;
}

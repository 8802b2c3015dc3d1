/* Reads a text with comments that may stand within each other, however deep, and collects words of at most sixteen
 * characters from what is outside. No word is longer than its buffer, and the text outside has depth zero.
 *
 * verdict: holds
 */
#include <assert.h>

#define LONGEST 16

int next_character(void);
void word(const char *text, int length);

static char text[LONGEST];

int main(void)
{
    int c = next_character();
    while (c >= 0) {
        unsigned depth = 0;
        int length = 0;
        while (c == '(' || (depth > 0 && c >= 0)) {
            if (c == '(' && depth < 4000000000u)
                depth++;
            else if (c == ')')
                depth--;
            c = next_character();
        }
        while (c >= 'a' && c <= 'z') {
            assert(depth == 0);
            if (length < LONGEST)
                text[length++] = (char)c;
            c = next_character();
        }
        if (length > 0)
            word(text, length);
        else if (c >= 0 && c != '(')
            c = next_character();
    }
    return 0;
}

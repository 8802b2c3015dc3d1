/* The same as comments.c, but a word of just the longest length gets a mark at its end, for which there is no place.
 *
 * verdict: violated
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
        if (length > 0) {
            text[length] = 0;
            word(text, length);
        } else if (c >= 0 && c != '(') {
            c = next_character();
        }
    }
    return 0;
}

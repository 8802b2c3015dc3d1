/* Accepts the lines a*b*: some letters a, then some letters b. */
#include <stdio.h>

enum part { LETTERS_A, LETTERS_B };

int main(void)
{
    enum part part = LETTERS_A;

    for (;;) {
        int letter = getchar();

        if (letter == '\n' || letter < 0)
            return 0;
        switch (part) {
        case LETTERS_A:
            if (letter == 'b')
                part = LETTERS_B;
            else if (letter != 'a')
                return 1;
            break;
        case LETTERS_B:
            if (letter != 'b')
                return 1;
            break;
        }
    }
}

/* Memory from the pool. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

extern void observe(long long value);

struct node {
    int value;
    struct node *next;
};

static struct node *push(struct node *list, int value)
{
    struct node *fresh = malloc(sizeof *fresh);
    fresh->value = value;
    fresh->next = list;
    return fresh;
}

int main(void)
{
    struct node *list = 0;
    char *copy = strdup("hello"), *start = strndup("hello", 3);
    int *numbers = calloc(4, sizeof *numbers);
    int i;

    for (i = 0; i < 4; ++i)
        list = push(list, i * i);
    while (list != 0) {
        struct node *next = list->next;
        observe(list->value);
        free(list);
        list = next;
    }
    observe((long long)strlen(copy) * 10 + (long long)strlen(start));
    observe(numbers[0] + numbers[3]);
    numbers[3] = 9;
    numbers = realloc(numbers, 8 * sizeof *numbers);
    observe(numbers[3]);
    free(numbers);
    free(copy);
    free(start);
    free(0);
    return 0;
}

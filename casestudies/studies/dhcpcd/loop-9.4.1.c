/* What this version alone calls. */
int eloop_event_add(struct eloop *loop, int fd, void (*f)(void *), void *a) { return 0; }
int eloop_event_delete_write(struct eloop *loop, int fd, int write) { return 0; }

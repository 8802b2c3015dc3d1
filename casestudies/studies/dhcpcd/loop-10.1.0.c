/* What this version alone calls. */
int eloop_event_add(struct eloop *loop, int fd, unsigned short events, void (*f)(void *, unsigned short), void *a) { return 0; }
int eloop_event_delete(struct eloop *loop, int fd) { return 0; }

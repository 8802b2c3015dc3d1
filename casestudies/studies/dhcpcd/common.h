/* For compat/rbtree.h, which needs nothing of it. */

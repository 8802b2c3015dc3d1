"""The words, tokens and grammar of CCL, and its action language as nodes, which diagrams share."""

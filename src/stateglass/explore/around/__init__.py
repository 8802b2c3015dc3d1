"""What is around code: calls from outside, functions without a body, processes, and what they may do next."""

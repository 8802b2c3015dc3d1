"""The i-protocol of Taylor UUCP under maps and a harness of ours, beside the figures of the C Wolf paper."""

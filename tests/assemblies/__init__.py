"""Component designs: a direct simulator of what they mean, random ones, and what both are compared with."""

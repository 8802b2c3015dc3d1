"""What claims mean, written down a second time, and nothing of the product's own."""

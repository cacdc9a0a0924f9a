"""Keeps every evening as recorded sessions within a disk budget, on a thread of its own, and cuts clips out of them."""

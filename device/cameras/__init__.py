"""Live cameras: what is plugged in, one thread for each, its latest picture, and in words how it is."""

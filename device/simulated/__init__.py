"""A simulated table: virtual players, whole games with their truth, noisy evidence of them, trials of the referee."""

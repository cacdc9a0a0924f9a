"""A simulated table: virtual players, whole games with their truth, noisy evidence of them, trials of the referee.

In: a seed and a setup. Out: games, lines as cameras would tell them, pictures drawn as they are asked for, sessions on
disk, and how well a referee did. `held` puts a recorded round before live cameras.
"""

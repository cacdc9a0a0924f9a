"""The one thread that owns the game, and what watches over it.

In: pictures, of live cameras (live) or of a table that plays by itself (run), and the jobs that other threads hand in.
Out: lines to the evening, and to whoever waits the answer to a job. Pages, pins and cameras live on threads of their
own and never touch the game.
"""

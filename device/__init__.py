"""What runs on the table, room by room; each knows those below it only, which lint-imports checks (pyproject.toml).

cli                             the command line: one door, one place where errors become exit codes
measuring                       racko bench
doctor, serve                   racko doctor; racko serve, which puts a live table together
commands, tables                the commands that do one thing and end; tables by their names
pages, recorder, simulated      what the pages are given; evenings kept as sessions; tables that are drawn
loop                            the one thread that owns the game
evening, observing              what stands of an evening and is kept; how pictures become observations
configuration, sessions         the owner's settings; recorded sessions and their truth
cameras, panel, voice           what is plugged in and wired, and what speaks
memory                          how the process keeps the memory that pictures took
"""

import vision  # noqa: F401 - before any of them loads NumPy or OpenCV: it says with how many threads these reckon

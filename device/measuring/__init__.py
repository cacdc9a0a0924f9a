"""`racko bench`: how fast the whole is, how soon it tells, and how much memory it takes.

In: simulated tables, a drawn one before five cameras, the recorded round. Out: figures as ratios that hold on a busy
machine too, in words or JSON lines. Nothing else needs this room.
"""

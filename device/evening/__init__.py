"""What stands of an evening, and is kept: lines go in, are judged, written down, and only then told to everybody.

In: lines (engine.lines) from whoever watches or plays a table. Out: the referee's events to every audience, the journal
on disk, and what is folded from it: the game that goes on after a power cut, the rounds that are over, what an undo
has changed. Nothing here knows a picture or a camera.
"""

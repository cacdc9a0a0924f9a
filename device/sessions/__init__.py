"""Recorded sessions: their format on disk, and how what was said of one is held against its truth.

In: a folder of pictures with its timeline, as the README (Formats) has it. Out: what was taken and said, in time order
(`FrameTaken`, lines), by the interface of a source, which a simulated table has as well; and the differences, in words.
"""

"""Commands of `racko` that do one thing and end: score, referee, read, replay, mats, calibrate, pin.

In: what the command line asks for (device.cli). Out: words or JSON lines on standard output, and an exit code. The
commands serve, doctor, bench, simulate and clip live with what they run: in device.serve, and in rooms of their own.
"""

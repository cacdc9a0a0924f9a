"""The rules of RACK-O: cards, racks, moves, scores, and the referee that follows a table.

`following` is the inside of the referee. Pure: standard library only, no clock, no randomness, no input or output.
"""

"""Keeps every evening as recorded sessions within a disk budget, on a thread of its own, and cuts clips out of them.

In: pictures, lines and events, as the run loop gives them. Out: sessions on disk with their truth (device.sessions).
"""

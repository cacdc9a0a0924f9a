"""Live cameras: what is plugged in, one thread for each, its latest picture, and in words how it is.

In: names such as rpicam:0 or http://HOST/..., and what the devices send. Out: each camera's latest picture with its
time (Shot), and reports.
"""

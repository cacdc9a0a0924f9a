"""From a picture to a Look: which card stands where, and how sure that is."""

import os

# Before NumPy and OpenCV are loaded: a look's sums are small and a table's cores few, and the threads of these two
# libraries spend more on waiting for each other than they bring. A quarter of the time of `vision.report` went so.
for threads in ("OPENBLAS_NUM_THREADS", "OPENCV_FOR_THREADS_NUM"):
    os.environ.setdefault(threads, "1")

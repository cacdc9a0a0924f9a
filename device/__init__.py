"""What runs on the table: cameras, panel, journal, sessions, the run loop and the command line."""

import os

# Before any of them is loaded: a table's looks are small and its cores few, and the threads of these two libraries
# spend more on waiting for each other than they bring.
for threads in ("OPENBLAS_NUM_THREADS", "OPENCV_FOR_THREADS_NUM"):
    os.environ.setdefault(threads, "1")

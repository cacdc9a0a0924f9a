import os
import subprocess
import sys

import pytest


@pytest.mark.parametrize("package", ["device", "vision"])
def test_a_table_looks_with_one_thread_of_each_library_unless_it_is_told_otherwise(package: str) -> None:
    words = f"import {package}, cv2, os; print(cv2.getNumThreads(), os.environ['OPENBLAS_NUM_THREADS'])"
    own = {name: value for name, value in os.environ.items() if name != "OPENCV_FOR_THREADS_NUM"}
    for given, expected in ({}, "1 1"), ({"OPENBLAS_NUM_THREADS": "3"}, "1 3"):
        bare = {name: value for name, value in own.items() if name != "OPENBLAS_NUM_THREADS"}
        said = subprocess.run(
            [sys.executable, "-c", words], env=bare | given, capture_output=True, text=True, check=True
        )
        assert said.stdout.split() == expected.split()

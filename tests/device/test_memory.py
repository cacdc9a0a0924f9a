import platform
import subprocess
import sys

import pytest

PICTURES = """
import resource, sys
import numpy as np
from device.memory import keep_freed_memory
if "keep" in sys.argv:
    assert keep_freed_memory()
def decode():
    for picture in [np.empty(3_000_000, np.uint8) for _ in range(5)]:
        picture[::4096] = 1
decode()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(10):
    decode()
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another C library has its own ways")
def test_memory_of_pictures_is_used_again_and_not_fetched_anew_page_by_page() -> None:
    def pages(*words: str) -> int:
        said = subprocess.run([sys.executable, "-c", PICTURES, *words], capture_output=True, text=True, check=True)
        return int(said.stdout)

    assert pages("keep") < pages() / 10

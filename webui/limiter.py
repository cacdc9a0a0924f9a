"""How often a PIN may be tried: after a few wrong ones a wait that doubles, for each address and for all together."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from time import monotonic
from typing import Final

FREE: Final = 5
"""Wrong PINs before the first wait."""

FIRST_WAIT: Final = 2.0
LONGEST_WAIT: Final = 300.0
"""Seconds; each further wrong PIN doubles the wait from the first to the longest."""

FORGOTTEN_AFTER: Final = 3600.0
"""Seconds without a wrong PIN after which the count begins anew; guessing so slowly leads nowhere."""

MOST_ADDRESSES: Final = 1000
"""Addresses that are remembered; whoever has more of them is held up by the count of all together."""


@dataclass
class _Wrong:
    """Wrong PINs from one side: how many, when the last one came, and until when nothing is heard."""

    count: int = 0
    last: float = 0.0
    until: float = 0.0

    def add(self, now: float) -> None:
        self.count = 1 if now - self.last > FORGOTTEN_AFTER else self.count + 1
        self.last = now
        if self.count >= FREE:
            # 2 s doubled eight times is beyond the longest wait.
            self.until = now + min(LONGEST_WAIT, FIRST_WAIT * 2 ** min(self.count - FREE, 8))


class Limiter:
    """Counts wrong PINs; safe to use from any thread. `clock` gives seconds that never go back."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._lock = Lock()
        self._all = _Wrong()
        self._by_address: OrderedDict[str, _Wrong] = OrderedDict()

    def attempt(self, address: str, *, right: bool) -> float:
        """Count an attempt from a client's address; 0 if it was heard, or the seconds to wait for the next hearing.

        While somebody waits a right PIN is not heard either, so that guessing tells nothing, and a wrong one does not
        make the wait longer. A right PIN that is heard clears the counts of its address and of all together.
        """
        now = self._clock()
        with self._lock:
            own = self._by_address.pop(address, None) or _Wrong()
            self._by_address[address] = own  # the one heard of last is forgotten last
            wait = max(own.until, self._all.until) - now
            if wait > 0:
                self._forget_the_oldest()
                return wait
            if right:
                self._all = _Wrong()
                del self._by_address[address]
            else:
                own.add(now)
                self._all.add(now)
                self._forget_the_oldest()
            return 0.0

    def _forget_the_oldest(self) -> None:
        while len(self._by_address) > MOST_ADDRESSES:
            self._by_address.popitem(last=False)

"""Lets the numbers that are read decide how a rack stands: on what mat, pushed or not, and which slot is which."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from calibration.table import SLOTS
from vision.found import RackFound
from vision.frame import Frame
from vision.known_mat import KnownMat
from vision.pushed import (
    holds_an_unread_card,
    is_displaced,
    looks_bare,
    may_be_displaced,
    stands_as_before,
    with_one_between,
)
from vision.rack_memory import RackMemory
from vision.rivals import (
    DOUBTED,
    Account,
    Answers,
    as_full,
    explains_more,
    likeliest,
    moved_by_size,
    numbers_read,
    surely_otherwise,
)

Read = Callable[[RackFound, Collection[int]], Answers]
"""Reads the numbers that were found in some slots (0..9) of a rack."""


@dataclass(frozen=True)
class PoseByNumbers:
    """Decides by the numbers that are read how racks stand."""

    read: Read

    def decide(self, frame: Frame, rack: RackMemory, mat: KnownMat, answers: Answers) -> tuple[RackMemory, Answers]:
        """Give a rack as it stands on its `mat`, by the reader's answers by slot (0..9), and these as it stands then.

        Where fewer numbers are read than cards stood in it, or it is in doubt which slot is which, it is known anew, if
        it is surely likelier so: what leads astray may be the size that its mat seemed to have before.
        """
        best = self._as_it_stands(frame, rack, answers)
        read, stood = numbers_read(best.values()), sum(card is not None for card in rack.stood)
        if rack.found is None or not stood or len(rack.fresh) < SLOTS:
            return rack, best
        doubted = min(rack.found.view.which) < DOUBTED
        if not doubted and read >= stood:
            return rack, best
        anew = mat.rack_anew(rack)
        anew.see(frame, hand=False, moved=False)
        if anew.found is None:
            return rack, best
        its = self._as_it_stands(frame, anew, self._account(anew.found).answers)
        better = doubted or numbers_read(its.values()) > read
        if better and surely_otherwise(frame, Account(rack.found, best), [(Account(anew.found, its), 0.0)]):
            return anew, its
        return rack, best

    def _as_it_stands(self, frame: Frame, rack: RackMemory, answers: Answers) -> Answers:
        """Let the numbers decide how a rack stands: two neighbours that changed, or all, which may be a slot off.

        So they may seem, too, where the rack was pushed off its place; ten numbers in ten slots settle it. Give the
        answers by slot (0..9).
        """
        if rack.otherwise is not None:
            other, slots = rack.otherwise
            anew = {**answers, **self.read(other, slots)}
            if explains_more(anew, answers):
                rack.changes(frame, other, slots)
                return anew
        if (known := rack.as_sized(frame, answers)) is not None:
            rack.stands(frame, known)
            answers = self._account(known).answers
        printed = rack.found.or_printed if rack.found is not None else ()
        others = rack.rivals(frame)
        if rack.found is None:
            return answers
        best, accounts = Account(rack.found, answers), [self._account(other) for other in others]
        if accounts:
            best = likeliest(best, accounts)
            rack.stands(frame, best.rack)
        if (known := rack.followed(frame, best.answers)) is not None:
            followed = Account(known, best.answers) if known.slots is best.rack.slots else self._account(known)
            if stands_as_before(rack.stood, followed.answers):
                followed = as_full(self._with_one_between(frame, [followed])) or followed
                rack.stands(frame, followed.rack)
                return followed.answers
            rack.doubt_place()
        best = self._where_pushed(frame, rack, best)
        return self._by_numbers(frame, rack, best, printed, accounts).answers

    def _by_numbers(
        self,
        frame: Frame,
        rack: RackMemory,
        best: Account,
        printed: Sequence[tuple[RackFound, float]],
        rivals: Sequence[Account],
    ) -> Account:
        """Let numbers choose between the account that is best so far and those by other poses of the mat, and rivals.

        Ten numbers settle it (as_full); or one is surely likelier, where paper may be curled up or the comb alone tells
        its size. Otherwise be not sure of the slots that may be others by another size.
        """
        full = as_full([best])
        posed = [(self._account(other), leeway) for other, leeway in printed] if full is None else []
        others = [*(account for account, _ in posed), *rivals]
        full = full or as_full(chain(others, self._with_one_between(frame, [best, *others])))
        if full is not None:
            rack.stands(frame, full.rack)
            return full
        size = best.rack.pose.printed
        may_be = [one for one in posed if best.rack.by_comb or one[0].rack.pose.printed == size]
        likelier = surely_otherwise(frame, best, [(account, max(-leeway, 0.0)) for account, leeway in may_be])
        if likelier is not None:
            rack.stands(frame, likelier.rack)
            # the one that is given up may still be right, by as much as spoke for it
            best, posed = likelier, [(best, -leeway) if one is likelier else (one, leeway) for one, leeway in posed]
        for account, leeway in posed:
            rack.doubt_place(moved_by_size(best, account, leeway))
        return best

    def _where_pushed(self, frame: Frame, rack: RackMemory, best: Account) -> Account:
        """Take a rack to stand a slot off its place where the numbers say so.

        Be not sure of it where they may, or where what looks like a card stands beyond its end, its number not read.
        """
        for other, last in rack.displaced(frame, best.answers):
            elsewhere = self._account(other)
            if holds_an_unread_card(elsewhere, last, frame):
                rack.doubt_place()
            if not may_be_displaced(elsewhere, last, best) or looks_bare(elsewhere, last, frame):
                continue
            if is_displaced(elsewhere, last):
                rack.stands(frame, other)
                return elsewhere
            rack.doubt_place()
        return best

    def _with_one_between(self, frame: Frame, accounts: Iterable[Account]) -> Iterator[Account]:
        """Give each rack of nine cards with one between them for which there was no slot, if there may be one."""
        for account in accounts:
            if (rack := with_one_between(account.rack, frame, account.answers)) is not None:
                yield self._account(rack)

    def _account(self, rack: RackFound) -> Account:
        return Account(rack, self.read(rack, range(SLOTS)))

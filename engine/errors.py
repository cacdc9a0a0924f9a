"""The errors of the rules and of everything built on them."""


class RackoError(Exception):
    """Root of every error that a person can mend; its text is one line: what, where, what to do."""

    exit_code = 2


class IllegalPlay(RackoError):
    """A play, a call or a rack that the rules do not allow."""

    exit_code = 1


class BadInput(RackoError):
    """Words from outside (a line, a file, a request) that cannot be understood or cannot be."""

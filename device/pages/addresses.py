"""Where a browser finds the pages: on this machine, and from others on the same network."""

import socket


def addresses(port: int) -> list[str]:
    """The addresses of the scoreboard, that for other machines last; this machine's own alone where it is on none."""
    outside = outside_address()
    return [f"http://{host}:{port}/" for host in ("localhost", outside) if host is not None]


def outside_address() -> str | None:
    """Under which other machines on the same network find this one; None where it is on none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Nothing is sent: connecting a datagram socket only asks which of our addresses leads outside.
            probe.connect(("192.0.2.1", 9))
            outside = str(probe.getsockname()[0])
        except OSError:
            return None
    return None if outside.startswith("127.") else outside

"""`racko pin`: the host's PIN and where the pages are, for a machine that has no screen of its own."""

import json
import socket
from pathlib import Path
from typing import Final

from device.configuration import Configuration, read_configuration
from device.pages.addresses import outside_address
from device.pages.secrets import renewed_secrets
from engine.errors import BadInput

HTTP: Final = 80
"""The port that a browser takes where an address names none."""

AVAHI: Final = Path("/run/avahi-daemon/socket")
"""There while Avahi runs, which tells other machines this one's name."""


def tell_pin(config: Path | None, *, new: bool, new_links: bool, as_json: bool) -> int:
    """Print PIN and addresses, after making new ones where that is asked for; return the exit code.

    Raises BadInput where no secrets are kept, where they cannot be read or written, and for a new PIN where the
    configuration names one.
    """
    settings = Configuration() if config is None else read_configuration(config)
    if new and settings.pin is not None:
        raise BadInput(f"{config}: host.pin names the PIN; change it there, or remove it there to have one made")
    kept = renewed_secrets(settings.folder, pin=new, links=new_links)
    pin, where = settings.pin or kept.pin, page_addresses(settings.port)
    if as_json:
        print(json.dumps({"pin": pin, "pages": where, "host": f"{where[0]}host" if where else None}))
        return 0
    print(f"PIN {pin}")
    if where:
        print(f"The scoreboard is on {', '.join(where)}")
        print(f"The host's page is on {where[0]}host")
    else:
        print("The pages are on a port that is any free one; racko serve prints it at its start")
    if new or new_links:
        print("What is new counts as soon as racko serve is started again")
    return 0


def page_addresses(port: int, avahi: Path = AVAHI) -> list[str]:
    """The addresses for other machines, by name before by number; this machine's own where it is on no network.

    None are known where `port` is 0, any free one.
    """
    if port == 0:
        return []
    name = f"{socket.gethostname().split('.')[0].lower()}.local" if avahi.exists() else None
    hosts = [host for host in (name, outside_address()) if host is not None] or ["localhost"]
    return [f"http://{host}/" if port == HTTP else f"http://{host}:{port}/" for host in hosts]

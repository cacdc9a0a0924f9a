"""What the pages are made of, and share."""

from dataclasses import dataclass

from webui.asking import Asking
from webui.desk import Desk
from webui.places import Places
from webui.session import Sessions
from webui.tokens import Tokens


@dataclass(frozen=True)
class Parts:
    """Made once an application. `address`: where other machines find this one, without a port; None: not known."""

    desk: Desk
    asking: Asking
    places: Places
    sessions: Sessions
    tokens: Tokens
    address: str | None

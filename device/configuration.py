"""The owner's settings: one TOML file, every key with a default, and a refusal in one line for what cannot be."""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Final

from device.panel import PanelSettings, read_panel
from engine.errors import BadInput

DEFAULT_PORT: Final = 8000


def default_folder() -> Path:
    """Where journals lie if nothing else is said: the XDG state directory, else the current one."""
    state = os.environ.get("XDG_STATE_HOME")
    if state:
        return Path(state) / "racko"
    home = os.environ.get("HOME")
    return Path(home) / ".local" / "state" / "racko" if home else Path("evenings")


@dataclass(frozen=True)
class Configuration:
    """`[serve] port, camera` (a name of device.tables), `[journal] folder`, `[panel]` as PanelSettings has it."""

    port: int = DEFAULT_PORT
    folder: Path = field(default_factory=default_folder)
    panel: PanelSettings = field(default_factory=PanelSettings)
    camera: str | None = None


def read_configuration(path: Path) -> Configuration:
    """Read a configuration file. Raises BadInput: file, key, reason."""
    try:
        said = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise BadInput(f"{path}: cannot be read ({problem.strerror})") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as problem:
        raise BadInput(f"{path}: is not TOML: {problem}") from None
    try:
        _known(said, "", ("serve", "journal", "panel"))
        serve, journal, panel = (_section(said, name) for name in ("serve", "journal", "panel"))
        _known(serve, "serve.", ("port", "camera"))
        _known(journal, "journal.", ("folder",))
        _known(panel, "panel.", tuple(known.name for known in fields(PanelSettings)))
        port, folder, camera = serve.get("port", DEFAULT_PORT), journal.get("folder"), serve.get("camera")
        if type(port) is not int or not 0 <= port <= 65535:
            raise BadInput(f"serve.port: {port!r} is no port; choose 1 to 65535")
        if camera is not None and not isinstance(camera, str):
            raise BadInput(f'serve.camera: {camera!r} is no name; write it in quotes, such as "simulated:1"')
        if folder is not None and (not isinstance(folder, str) or not folder):
            raise BadInput(f"journal.folder: {folder!r} is not the name of a folder")
        chosen = default_folder() if folder is None else (path.parent / folder)
        return Configuration(port, chosen, read_panel(panel), camera)
    except BadInput as problem:
        raise BadInput(f"{path}: {problem}") from None


def _section(said: Mapping[str, object], name: str) -> dict[str, object]:
    section = said.get(name, {})
    if not isinstance(section, dict):
        raise BadInput(f"{name}: is not a section; write [{name}]")
    return section


def _known(section: Mapping[str, object], prefix: str, names: tuple[str, ...]) -> None:
    for key in section:
        if key not in names:
            raise BadInput(f"{prefix}{key} is not known; known here: {', '.join(names)}")

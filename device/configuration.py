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

DEFAULT_BUDGET: Final = 4.0
"""GB for recordings: some evenings (a turn takes 1 to 3 MB, with three cameras of 720p or 1080p)."""


RECORDINGS: Final = "recordings"
"""The folder of recordings, in that of the journals."""


def default_folder() -> Path:
    """Where journals lie if nothing else is said: the XDG state directory, else the current one."""
    state = os.environ.get("XDG_STATE_HOME")
    if state:
        return Path(state) / "racko"
    home = os.environ.get("HOME")
    return Path(home) / ".local" / "state" / "racko" if home else Path("evenings")


@dataclass(frozen=True)
class RecordSettings:
    """`[record] on, folder, budget`: whether evenings are recorded, where, and in how many bytes (a file says GB)."""

    on: bool = True
    folder: Path = field(default_factory=lambda: default_folder() / RECORDINGS)
    budget: int = int(DEFAULT_BUDGET * 1e9)


@dataclass(frozen=True)
class Configuration:
    """`[serve] port, camera` (a name of device.tables), `[journal] folder`, `[panel]` as PanelSettings has it.

    `[record]` as RecordSettings has it; recordings lie beside the journals if nothing else is said.
    """

    port: int = DEFAULT_PORT
    folder: Path = field(default_factory=default_folder)
    panel: PanelSettings = field(default_factory=PanelSettings)
    camera: str | None = None
    record: RecordSettings = field(default_factory=RecordSettings)


def read_configuration(path: Path) -> Configuration:
    """Read a configuration file. Raises BadInput: file, key, reason."""
    try:
        said = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise BadInput(f"{path}: cannot be read ({problem.strerror})") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as problem:
        raise BadInput(f"{path}: is not TOML: {problem}") from None
    try:
        _known(said, "", ("serve", "journal", "panel", "record"))
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
        record = _record(_section(said, "record"), path.parent, chosen / RECORDINGS)
        return Configuration(port, chosen, read_panel(panel), camera, record)
    except BadInput as problem:
        raise BadInput(f"{path}: {problem}") from None


def _record(said: Mapping[str, object], here: Path, default: Path) -> RecordSettings:
    _known(said, "record.", ("on", "folder", "budget"))
    on, folder, budget = said.get("on", True), said.get("folder"), said.get("budget", DEFAULT_BUDGET)
    if not isinstance(on, bool):
        raise BadInput(f"record.on: {on!r} is neither true nor false")
    if folder is not None and (not isinstance(folder, str) or not folder):
        raise BadInput(f"record.folder: {folder!r} is not the name of a folder")
    if isinstance(budget, bool) or not isinstance(budget, int | float) or not 0.01 <= budget <= 100_000:
        raise BadInput(f"record.budget: {budget!r} is no number of GB from 0.01 to 100000")
    return RecordSettings(on, default if folder is None else here / folder, int(budget * 1e9))


def _section(said: Mapping[str, object], name: str) -> dict[str, object]:
    section = said.get(name, {})
    if not isinstance(section, dict):
        raise BadInput(f"{name}: is not a section; write [{name}]")
    return section


def _known(section: Mapping[str, object], prefix: str, names: tuple[str, ...]) -> None:
    for key in section:
        if key not in names:
            raise BadInput(f"{prefix}{key} is not known; known here: {', '.join(names)}")

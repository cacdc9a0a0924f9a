"""The owner's settings: one TOML file, every key with a default, and a refusal in one line for what cannot be."""

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Final

from device.panel import PanelSettings, read_panel
from device.voice.settings import VoiceSettings, read_voice
from engine.errors import BadInput

DEFAULT_PORT: Final = 8000

CAMERA_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,32}", re.ASCII)
PIN: Final = re.compile(r"\d{4,12}", re.ASCII)

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
class CameraWanted:
    """A camera of the table: what it is called there ("tray"), and what it is (device.tables, device.cameras)."""

    name: str
    source: str


@dataclass(frozen=True)
class RecordSettings:
    """`[record] on, folder, budget`: whether evenings are recorded, where, and in how many bytes (a file says GB)."""

    on: bool = True
    folder: Path = field(default_factory=lambda: default_folder() / RECORDINGS)
    budget: int = int(DEFAULT_BUDGET * 1e9)


@dataclass(frozen=True)
class Configuration:
    """What the file says, key by key.

    `[serve] port, names` (under which the pages are to be had, beside the machine's own), `[[camera]] name, source`,
    `[table] file` (the measured table), `[journal] folder`, `[host] pin`, `[panel]` as PanelSettings has it,
    `[voice]` as VoiceSettings has it, `[record]` as RecordSettings has it; recordings lie beside the journals if
    nothing else is said.
    """

    port: int = DEFAULT_PORT
    names: tuple[str, ...] = ()
    cameras: tuple[CameraWanted, ...] = ()
    table: Path | None = None
    folder: Path = field(default_factory=default_folder)
    pin: str | None = None
    panel: PanelSettings = field(default_factory=PanelSettings)
    voice: VoiceSettings = field(default_factory=VoiceSettings)
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
        return _understood(said, path.parent)
    except BadInput as problem:
        raise BadInput(f"{path}: {problem}") from None


def _understood(said: Mapping[str, object], beside: Path) -> Configuration:
    """The configuration; files are named from the folder `beside` it."""
    _known(said, "", ("serve", "camera", "table", "journal", "host", "panel", "voice", "record"))
    serve = _section(said, "serve", "port", "camera", "names")
    port = serve.get("port", DEFAULT_PORT)
    if type(port) is not int or not 0 <= port <= 65535:
        raise BadInput(f"serve.port: {port!r} is no port; choose 1 to 65535")
    folder = _text(_section(said, "journal", "folder"), "journal.folder", "the name of a folder")
    table = _text(_section(said, "table", "file"), "table.file", "the name of a file")
    journals = default_folder() if folder is None else beside / folder
    return Configuration(
        port=port,
        names=_names(serve.get("names", [])),
        cameras=_cameras(said.get("camera", []), _text(serve, "serve.camera", 'a name, such as "simulated:1"')),
        table=None if table is None else beside / table,
        folder=journals,
        pin=_pin(_section(said, "host", "pin").get("pin")),
        panel=read_panel(_section(said, "panel", *(known.name for known in fields(PanelSettings)))),
        voice=read_voice(_section(said, "voice", *(known.name for known in fields(VoiceSettings)))),
        record=_record(_section(said, "record", *(known.name for known in fields(RecordSettings))), beside, journals),
    )


def _record(said: Mapping[str, object], beside: Path, journals: Path) -> RecordSettings:
    on, folder, budget = said.get("on", True), _text(said, "record.folder", "the name of a folder"), said.get("budget")
    if not isinstance(on, bool):
        raise BadInput(f"record.on: {on!r} is neither true nor false")
    size = DEFAULT_BUDGET if budget is None else budget
    if isinstance(size, bool) or not isinstance(size, int | float) or not 0.01 <= size <= 100_000:
        raise BadInput(f"record.budget: {budget!r} is no number of GB from 0.01 to 100000")
    return RecordSettings(on, journals / RECORDINGS if folder is None else beside / folder, int(size * 1e9))


def _names(said: object) -> tuple[str, ...]:
    if not isinstance(said, list) or not all(isinstance(name, str) and name for name in said):
        raise BadInput(f'serve.names: {said!r} is no list of names; write ["racko.home"]')
    return tuple(said)


def _cameras(said: object, one: str | None) -> tuple[CameraWanted, ...]:
    """The cameras of `[[camera]]`, or the `one` of [serve]."""
    if not isinstance(said, list):
        raise BadInput("camera: write each camera as a section of its own, [[camera]]")
    wanted = [_camera(camera) for camera in said]
    if one is not None and wanted:
        raise BadInput("serve.camera and [[camera]] are both given: keep one of them")
    named = [camera.name for camera in wanted]
    for name in named:
        if named.count(name) > 1:
            raise BadInput(f"camera.name: two cameras are called {name!r}: give each its own name")
    return tuple(wanted) if one is None else (CameraWanted("", one),)


def _camera(said: object) -> CameraWanted:
    if not isinstance(said, dict):
        raise BadInput("camera: write each camera as a section of its own, [[camera]]")
    _known(said, "camera.", ("name", "source"))
    name = _text(said, "camera.name", 'a name, such as "tray"')
    source = _text(said, "camera.source", 'a source, such as "v4l2:/dev/video0"')
    if name is None or source is None:
        raise BadInput("camera: name and source are both needed")
    if not CAMERA_NAME.fullmatch(name):
        raise BadInput(f"camera.name: {name!r} cannot be: letters, digits, - and _ only, at most 32")
    return CameraWanted(name, source)


def _pin(said: object) -> str | None:
    if said is not None and (not isinstance(said, str) or not PIN.fullmatch(said)):
        raise BadInput('host.pin: write 4 to 12 digits in quotes, such as "275310"')
    return said


def _text(section: Mapping[str, object], key: str, what: str) -> str | None:
    value = section.get(key.rpartition(".")[2])
    if value is not None and (not isinstance(value, str) or not value):
        raise BadInput(f"{key}: {value!r} is not {what}")
    return value


def _section(said: Mapping[str, object], name: str, *keys: str) -> dict[str, object]:
    section = said.get(name, {})
    if not isinstance(section, dict):
        raise BadInput(f"{name}: is not a section; write [{name}]")
    _known(section, f"{name}.", keys)
    return section


def _known(section: Mapping[str, object], prefix: str, names: tuple[str, ...]) -> None:
    for key in section:
        if key not in names:
            raise BadInput(f"{prefix}{key} is not known; known here: {', '.join(names)}")

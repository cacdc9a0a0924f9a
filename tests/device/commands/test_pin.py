import json
import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from device.cli import main
from device.commands.pin import page_addresses
from device.pages.secrets import kept_secrets, renewed_secrets
from engine.errors import BadInput


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of journals of a table that has run once."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    folder = tmp_path / "racko"
    kept_secrets(folder)
    return folder


def configured(folder: Path, text: str) -> list[str]:
    path = folder.parent / "racko.toml"
    path.write_text(text)
    return ["--config", str(path)]


def test_the_pin_and_the_addresses_are_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = kept_secrets(folder)
    assert main(["pin", *configured(folder, "[serve]\nport = 8123\n")]) == 0
    shown = capsys.readouterr().out
    assert f"PIN {kept.pin}\n" in shown
    assert ":8123/host\n" in shown
    assert not any(token in shown for token in kept.seats.values())
    assert kept_secrets(folder) == kept


def test_as_json_it_is_one_object(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pin", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["pin"] == kept_secrets(folder).pin
    assert said["host"] == f"{said['pages'][0]}host"


def test_a_new_pin_leaves_the_links_and_the_key_as_they_are(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = kept_secrets(folder)
    assert main(["pin", "--new"]) == 0
    after = kept_secrets(folder)
    assert after.pin != before.pin
    assert after == replace(before, pin=after.pin)
    shown = capsys.readouterr().out
    assert f"PIN {after.pin}\n" in shown
    assert "started again" in shown


def test_new_links_leave_the_pin_and_are_all_new(folder: Path) -> None:
    before = kept_secrets(folder)
    assert main(["pin", "--new-links"]) == 0
    after = kept_secrets(folder)
    assert after == replace(before, seats=after.seats)
    assert not set(after.seats.values()) & set(before.seats.values())


def test_a_pin_of_the_settings_goes_first_and_is_changed_there(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = configured(folder, '[host]\npin = "275310"\n')
    before = kept_secrets(folder)
    assert main(["pin", *arguments]) == 0
    assert "PIN 275310\n" in capsys.readouterr().out
    assert main(["pin", "--new", *arguments]) == 2
    assert "change it there" in capsys.readouterr().err
    assert main(["pin", "--new-links", *arguments]) == 0
    assert kept_secrets(folder).pin == before.pin


def test_where_nothing_is_kept_nothing_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert main(["pin", "--new", "--new-links"]) == 2
    error = capsys.readouterr().err
    assert "racko serve makes it" in error
    assert error.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_file_is_said_in_one_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "secrets.json").write_text("{}")
    assert main(["pin", "--new"]) == 2
    assert capsys.readouterr().err.endswith("is damaged; remove it, and a new PIN is made\n")


def test_what_is_made_anew_is_for_its_owner_only(folder: Path) -> None:
    (folder / "secrets.new").write_text("of a run that was cut off")
    (folder / "secrets.new").chmod(0o644)
    renewed_secrets(folder, pin=True)
    assert stat.S_IMODE((folder / "secrets.json").stat().st_mode) == 0o600
    assert [path.name for path in folder.iterdir()] == ["secrets.json"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to another user")
def test_what_root_makes_belongs_to_whom_the_folder_belongs_to(folder: Path) -> None:
    os.chown(folder, 12345, 23456)
    renewed_secrets(folder, links=True)
    owner = (folder / "secrets.json").stat()
    assert (owner.st_uid, owner.st_gid) == (12345, 23456)


def test_a_file_that_cannot_be_written_keeps_what_it_held(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = kept_secrets(folder)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(BadInput, match="cannot be written"):
        renewed_secrets(folder, pin=True)
    monkeypatch.undo()
    assert renewed_secrets(folder) == before


def test_the_machines_name_goes_first_and_port_80_is_not_spelt_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "Racko.lan")
    monkeypatch.setattr("device.commands.pin.outside_address", lambda: "192.0.2.7")
    assert page_addresses(80, avahi=tmp_path) == ["http://racko.local/", "http://192.0.2.7/"]
    assert page_addresses(8000, avahi=tmp_path / "none") == ["http://192.0.2.7:8000/"]
    monkeypatch.setattr("device.commands.pin.outside_address", lambda: None)
    assert page_addresses(80, avahi=tmp_path / "none") == ["http://localhost/"]


def test_a_port_that_is_not_known_is_not_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pin", *configured(folder, "[serve]\nport = 0\n")]) == 0
    assert "any free one" in capsys.readouterr().out

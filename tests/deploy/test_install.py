import os
import re
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

from tests.deploy.machine import DEPLOY, Machine, new_machine, small_program

SETTINGS = "/etc/racko/racko.toml"
UNIT = "/etc/systemd/system/racko.service"
ANNOUNCED = "/etc/avahi/services/racko.service"
LIBRARY = "/usr/local/lib/racko"
STATE = "/var/lib/racko"


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return new_machine(tmp_path)


@pytest.fixture
def installed(machine: Machine) -> Machine:
    done = machine.install()
    assert (done.returncode, done.stderr) == (0, "")
    return machine


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_everything_comes_into_its_place(installed: Machine) -> None:
    assert installed.path(SETTINGS).read_bytes() == (DEPLOY / "racko.toml").read_bytes()
    assert installed.path(UNIT).read_bytes() == (DEPLOY / "racko.service").read_bytes()
    assert installed.path("/usr/local/bin/racko").read_bytes() == (DEPLOY / "racko").read_bytes()
    assert (mode(installed.path(SETTINGS)), mode(installed.path(SETTINGS).parent)) == (0o640, 0o750)
    assert (mode(installed.path(UNIT)), mode(installed.path("/usr/local/bin/racko"))) == (0o644, 0o755)
    assert f"systemd-sysusers --root={installed.root} racko.conf" in installed.asked
    assert f"systemctl --root={installed.root} -q enable racko.service" in installed.asked
    assert not [name for name in installed.files() if name.endswith((".new", ".part", "unfinished"))]


def test_the_program_that_is_used_is_whole_and_may_be_read_by_its_user(installed: Machine) -> None:
    program = installed.path(f"{LIBRARY}/current")
    ours = DEPLOY.parent
    for folder in ("calibration", "device", "engine", "vision", "webui", "deploy", "tests/sessions"):
        for path in (ours / folder).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                copy = program / path.relative_to(ours)
                assert copy.read_bytes() == path.read_bytes()
                assert mode(copy) & 0o444 == 0o444
                assert mode(copy) & 0o111 == (0o111 if os.access(path, os.X_OK) else 0)
    assert {"pyproject.toml", "README.md", "LICENSE"} <= {path.name for path in program.iterdir()}
    assert not list(program.rglob("__pycache__"))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files to a group")
def test_the_settings_are_for_the_services_group_by_the_numbers_of_that_machine(installed: Machine) -> None:
    for path in (installed.path(SETTINGS), installed.path(SETTINGS).parent):
        assert (path.stat().st_uid, path.stat().st_gid) == (0, 996)


def test_a_second_run_finds_everything_in_place_and_changes_nothing(installed: Machine) -> None:
    before = installed.files()
    done = installed.install()
    assert (done.returncode, installed.files()) == (0, before)
    assert "everything was in place already" in done.stdout
    assert "write" not in done.stdout


def test_a_dry_run_says_each_step_and_does_none(machine: Machine) -> None:
    before = machine.files()
    said = machine.install("--dry-run")
    assert said.returncode == 0
    assert machine.files() == before
    assert "enable" not in machine.asked.replace("is-enabled", "")
    assert "sysusers" not in machine.asked
    done = machine.install()
    steps = [line for line in done.stdout.splitlines() if "not in " not in line]
    assert [line.replace("racko: would ", "racko: ") for line in said.stdout.splitlines() if "would" in line] == steps


def test_settings_that_were_changed_are_kept_and_their_port_is_the_one_announced(installed: Machine) -> None:
    mine = "[serve]\nport = 8123  # mine\n"
    installed.path(SETTINGS).write_text(mine)
    done = installed.install()
    assert installed.path(SETTINGS).read_text() == mine
    assert f"keep your {SETTINGS}" in done.stdout
    assert "<port>8123</port>" in installed.path(ANNOUNCED).read_text()
    installed.path(SETTINGS).write_text("# all by default\n")
    installed.install()
    assert "<port>8000</port>" in installed.path(ANNOUNCED).read_text()


def test_another_program_takes_the_place_of_the_earlier_one(installed: Machine) -> None:
    now = installed.path(f"{LIBRARY}/current").resolve()
    earlier = now.with_name("0123456789ab")
    now.rename(earlier)
    installed.path(f"{LIBRARY}/current").unlink()
    installed.path(f"{LIBRARY}/current").symlink_to("releases/0123456789ab")
    done = installed.install()
    assert "remove the earlier program /usr/local/lib/racko/releases/0123456789ab" in done.stdout
    assert installed.path(f"{LIBRARY}/current").resolve() == now
    assert [path.name for path in now.parent.iterdir()] == [now.name]


@pytest.mark.slow
def test_a_run_that_is_cut_off_anywhere_is_mended_by_the_next(tmp_path: Path) -> None:
    """Each program that changes a file is made to end the run, at its first use, at its second, and so on.

    A copy is cut off when its file is there and nothing is in it yet.
    """
    deploy = small_program(tmp_path / "program")
    whole = new_machine(tmp_path / "whole", deploy)
    whole.install()
    cuts = 0
    for name in ("mv", "cp", "tar", "sync", "ln", "chmod", "mkdir", "rm", "systemctl", "systemd-sysusers"):
        for use in range(1, 20):
            machine = new_machine(tmp_path / f"{name}{use}", deploy)
            own = machine.programs / name
            otherwise = own.rename(own.with_suffix(".own")) if own.exists() else shutil.which(name)
            half = 'for last; do :; done; : >"$last"' if name == "cp" else ":"
            machine.stand_in(
                name,
                f'#!/bin/sh\necho x >>"$0.uses"\n'
                f'[ "$(wc -l <"$0.uses")" != {use} ] || {{ {half}; kill -9 $PPID; exit 1; }}\nexec {otherwise} "$@"\n',
            )
            cut = machine.install()
            if cut.returncode == 0:
                break
            cuts += 1
            link = machine.path(f"{LIBRARY}/current")
            if link.is_symlink():
                assert (link / "LICENSE").is_file()
            own.unlink()
            machine.stand_in(name, f'#!/bin/sh\nexec {otherwise} "$@"\n')
            mended = machine.install()
            assert mended.returncode == 0, (name, use, mended.stderr)
            assert machine.files() == whole.files(), (name, use)
            shutil.rmtree(machine.root)
    assert cuts > 40


def test_a_copy_that_is_not_whole_is_never_used(machine: Machine) -> None:
    machine.stand_in("tar", '#!/bin/sh\ncase "$*" in *-x*) cat >/dev/null ;; *) : ;; esac\n')
    done = machine.install()
    assert done.returncode == 2
    assert "did not come out whole" in done.stderr
    assert not machine.path(f"{LIBRARY}/current").is_symlink()
    assert not list(machine.path(f"{LIBRARY}/releases").glob("*[!t]"))


def evening(machine: Machine) -> Path:
    journal = machine.path(f"{STATE}/table.sqlite")
    journal.parent.mkdir(parents=True)
    journal.write_text("an evening")
    return journal


def test_removing_takes_all_but_settings_and_journals(installed: Machine) -> None:
    journal = evening(installed)
    done = installed.install("--remove")
    assert (done.returncode, done.stderr) == (0, "")
    assert f"systemctl --root={installed.root} -q disable racko.service" in installed.asked
    left = {name for name in installed.files() if "racko" in name}
    assert left == {"etc/racko/racko.toml", "etc/sysusers.d/racko.conf", "var/lib/racko/table.sqlite"}
    assert journal.read_text() == "an evening"
    assert f"kept: {STATE}" in done.stdout
    assert "there is nothing to take away" in installed.install("--remove").stdout


def test_purging_takes_settings_and_journals_too(installed: Machine) -> None:
    evening(installed)
    assert installed.install("--remove", "--purge").returncode == 0
    assert [name for name in installed.files() if "racko" in name] == []


def test_a_removal_that_was_cut_off_is_finished_by_the_next(installed: Machine) -> None:
    shutil.rmtree(installed.path(LIBRARY))
    assert installed.install("--remove").returncode == 0
    assert not installed.path(UNIT).exists()


def test_a_dry_removal_takes_nothing(installed: Machine) -> None:
    evening(installed)
    before = installed.files()
    done = installed.install("--remove", "--purge", "--dry-run")
    assert installed.files() == before
    assert f"would remove {STATE}" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--purge"], "--purge goes with --remove"),
        (["--wipe"], "--wipe: is not known"),
        (["--root"], "is no folder"),
        (["--root", "nowhere"], "nowhere: is no folder"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_one_line(machine: Machine, arguments: list[str], words: str) -> None:
    before = machine.files()
    done = machine.install(*arguments)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert words in done.stderr
    assert machine.files() == before


def test_two_installations_are_not_made_at_once(machine: Machine) -> None:
    with (DEPLOY / "install").open() as held:
        subprocess.run(["flock", "-n", str(held.fileno())], pass_fds=[held.fileno()], check=True)
        done = machine.install()
    assert (done.returncode, machine.asked) == (2, "")
    assert "another installation is at work" in done.stderr


def test_all_parts_speak_of_the_same_places() -> None:
    install, command, unit, users = (
        (DEPLOY / name).read_text() for name in ("install", "racko", "racko.service", "racko.sysusers.conf")
    )
    places = dict(re.findall(r"^(\w+)=(/\S+)$", install, re.MULTILINE))
    program = f"{places['library']}/current/.venv/bin/racko"
    assert f"ExecStart={program} serve --config {places['settings']}\n" in unit
    assert f"program={program}\n" in command
    assert f"--config {places['settings']} " in command
    assert f"HOME={places['state']} XDG_STATE_HOME={Path(places['state']).parent} " in command
    assert f"StateDirectory={Path(places['state']).name}\n" in unit
    assert f'u racko - "Racko" {places["state"]}\n' in users
    assert "runuser -u racko " in command
    groups = re.findall(r"^m racko (\w+)$", users, re.MULTILINE)
    assert f"User=racko\nGroup=racko\nSupplementaryGroups={' '.join(groups)}\n" in unit


def test_python_packages_are_on_the_disk_before_they_are_said_to_be_there() -> None:
    lines = [line.split(" #")[0].strip() for line in (DEPLOY / "setup").read_text().splitlines()]
    assert lines[lines.index('echo "$purpose $(key)" >"$stamp"') - 1] == "sync"


@pytest.mark.parametrize(
    ("package", "program"), [("avahi-daemon", "/usr/sbin/avahi-daemon"), ("espeak-ng", "/usr/bin/espeak-ng")]
)
def test_a_package_that_is_good_to_have_is_installed_where_it_is_missing_and_nowhere_else(
    package: str, program: str, tmp_path: Path
) -> None:
    machine = new_machine(tmp_path)
    path = f"{machine.programs}:{os.environ['PATH']}"
    said = subprocess.run(
        [DEPLOY / "install", "--dry-run"], capture_output=True, text=True, check=True,
        env={**os.environ, "PATH": path, "ASKED": str(tmp_path / "asked")},
    )  # fmt: skip
    assert (f"would install {package}, " in said.stdout) == (not os.access(program, os.X_OK))


def test_a_package_that_cannot_be_had_is_said_and_stops_nothing(tmp_path: Path) -> None:
    """The function by itself: on this machine everything may be there, and nothing is to be installed by a test."""
    text = (DEPLOY / "install").read_text()
    useful = text[text.index("useful() {") : text.index("install_package() {")]
    step = text[text.index("say() {") : text.index("read_arguments() {")]
    script = f"set -eu\ndry=''\n{step}\n{useful}\ninstall_package() {{ echo \"asked for $1\"; return 100; }}\n"
    script += f"useful espeak-ng {tmp_path}/nowhere 'so that' 'tablets alone speak'; echo 'and on'\n"
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        "racko: install espeak-ng, so that",
        "asked for espeak-ng",
        "racko: espeak-ng cannot be had now; going on without: tablets alone speak",
        "and on",
    ]


@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="shellcheck is not here")
@pytest.mark.parametrize("name", ["install", "racko", "run", "setup", "test"])
def test_the_shell_programs_please_shellcheck(name: str) -> None:
    done = subprocess.run(["shellcheck", DEPLOY / name], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")

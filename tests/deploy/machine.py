"""A folder in the place of a machine, and deploy/install run on it; programs of systemd are stood in for."""

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

DEPLOY = Path(__file__).parents[2] / "deploy"
GROUPS = "root:x:0:\nvideo:x:44:\nracko:x:996:\n"

# What they are asked is kept; `is-enabled` answers by whether `enable` was asked.
SYSTEMCTL = """#!/bin/sh
echo "systemctl $*" >>"$ASKED"
case "$*" in
*is-enabled*) [ -e "$ASKED.enabled" ] ;;
*disable*) rm -f "$ASKED.enabled" ;;
*enable*) : >"$ASKED.enabled" ;;
esac
"""
SYSUSERS = """#!/bin/sh
echo "systemd-sysusers $*" >>"$ASKED"
for root; do case $root in --root=*) root=${root#--root=}; break ;; esac; done
grep -q ^racko: "$root/etc/passwd" || echo "racko:x:996:996:Racko:/var/lib/racko:/usr/sbin/nologin" >>"$root/etc/passwd"
"""


@dataclass(frozen=True)
class Machine:
    """A machine whose files lie below `root`; `programs` go before all others. `deploy`: of what is installed."""

    root: Path
    programs: Path
    deploy: Path = DEPLOY

    def install(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run deploy/install on it, whatever comes of it."""
        return subprocess.run(
            [self.deploy / "install", "--root", self.root, *arguments],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PATH": f"{self.programs}:{os.environ['PATH']}", "ASKED": str(self._asked)},
        )

    @property
    def _asked(self) -> Path:
        return self.programs / "asked"

    @property
    def asked(self) -> str:
        """What systemd was asked."""
        return self._asked.read_text() if self._asked.exists() else ""

    def stand_in(self, name: str, text: str) -> None:
        """Put a program of this name before the machine's own."""
        program = self.programs / name
        program.write_text(text)
        program.chmod(0o755)

    def path(self, name: str) -> Path:
        """A file of the machine, by its absolute path there."""
        return self.root / name.lstrip("/")

    def files(self) -> dict[str, str | bytes]:
        """Everything that is there: a file's contents, or where a link leads to."""
        return {
            str(path.relative_to(self.root)): str(path.readlink()) if path.is_symlink() else path.read_bytes()
            for path in sorted(self.root.rglob("*"))
            if path.is_symlink() or path.is_file()
        }


def small_program(folder: Path) -> Path:
    """A program of a few short files that can be installed as ours can; its folder deploy/."""
    shutil.copytree(DEPLOY, folder / "deploy")
    for name in ("calibration", "device", "engine", "vision", "webui", "tests/sessions"):
        (folder / name).mkdir(parents=True)
        (folder / name / "short.py").write_text(f'"""{name}"""\n')
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        (folder / name).write_text(f"{name}\n")
    return folder / "deploy"


def new_machine(folder: Path, deploy: Path = DEPLOY) -> Machine:
    """A machine with the least that there is on one."""
    machine = Machine(folder / "machine", folder / "programs", deploy)
    machine.programs.mkdir(parents=True)
    machine.path("/etc").mkdir(parents=True)
    machine.path("/etc/group").write_text(GROUPS)
    machine.path("/etc/passwd").write_text("root:x:0:0:root:/root:/bin/sh\n")
    machine.stand_in("systemctl", SYSTEMCTL)
    machine.stand_in("systemd-sysusers", SYSUSERS)
    return machine

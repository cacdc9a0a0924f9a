"""The rules of the house that no other tool checks, over every file that git keeps or would keep."""

import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TOP_LEVEL = {
    "CHANGELOG.md",
    "LICENSE",
    "README.md",
    "calibration",
    "deploy",
    "device",
    "engine",
    "pyproject.toml",
    "tests",
    "vision",
    "webui",
}
SOURCE = {".css", ".html", ".js", ".py", ""}  # a program without a suffix is one of deploy/
MOST_LINES = 400
MOST_SESSION_BYTES = 20_000_000

# Written in pieces, or this file would find itself.
NOQA = re.compile("#.*" + "no" + r"qa\b", re.IGNORECASE)
NOQA_WITH_REASON = re.compile("# no" + r"qa: [A-Z]+\d+(, [A-Z]+\d+)* - \S+")
MACHINE = re.compile(r"(?<![\w.~-])/(?:" + "|".join(("work", "root", "home", "opt", "Users", "mnt")) + r")/\w")
REGISTRY = re.compile(
    r"\b(?:"
    + "|".join(("pypi" + r"\.org", "python" + r"hosted\.org", "deb" + r"\.debian\.org", "npm" + r"js\.(?:org|com)"))
    + r"|proxy"
    + r"\.golang\.org|pi"
    + r"wheels\.org)"
)


@pytest.fixture(scope="module")
def files() -> list[Path]:
    """All files that git keeps or would keep, relative to the root."""
    command = ["git", "-C", str(ROOT), "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    try:
        listing = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"git does not list this folder's files: {error}")
    return sorted(path for name in listing.split("\0") if name and (path := Path(name)) and (ROOT / path).is_file())


def _texts(files: list[Path]) -> list[tuple[Path, str]]:
    texts = []
    for path in files:
        content = (ROOT / path).read_bytes()
        if b"\0" not in content:
            texts.append((path, content.decode("utf-8", errors="replace")))
    return texts


def _found(files: list[Path], pattern: re.Pattern[str]) -> list[str]:
    return [
        f"{path}:{number}: {line.strip()}"
        for path, text in _texts(files)
        for number, line in enumerate(text.splitlines(), start=1)
        if pattern.search(line)
    ]


def test_the_top_level_holds_the_agreed_names_only(files: list[Path]) -> None:
    names = {path.parts[0] for path in files}
    assert {name for name in names if not name.startswith(".")} <= TOP_LEVEL


def test_no_source_file_is_longer_than_four_hundred_lines(files: list[Path]) -> None:
    lengths = {path: len(text.splitlines()) for path, text in _texts(files) if path.suffix in SOURCE}
    assert {str(path): length for path, length in lengths.items() if length > MOST_LINES} == {}


def test_every_silenced_lint_rule_is_named_and_has_a_reason(files: list[Path]) -> None:
    found = _found([path for path in files if path.suffix == ".py"], NOQA)
    assert [line for line in found if not NOQA_WITH_REASON.search(line)] == []


def test_no_file_names_a_machines_own_path(files: list[Path]) -> None:
    assert _found(files, MACHINE) == []


def test_no_file_names_a_package_registry(files: list[Path]) -> None:
    assert _found(files, REGISTRY) == []


def test_the_recorded_sessions_are_light(files: list[Path]) -> None:
    sessions = [path.parent for path in files if path.name == "session.json"]
    weights = Counter[str]()
    for path in files:
        for session in sessions:
            if path.is_relative_to(session):
                weights[str(session)] += (ROOT / path).stat().st_size
    assert weights.total() < MOST_SESSION_BYTES, weights


def test_programs_and_only_programs_can_be_executed(files: list[Path]) -> None:
    programs = {str(path) for path in files if (ROOT / path).read_bytes()[:2] == b"#!"}
    executable = {str(path) for path in files if (ROOT / path).stat().st_mode & 0o111}
    assert programs == executable
    assert {".ci/run", "deploy/run", "deploy/setup", "deploy/test"} <= programs


def test_every_folder_of_tests_is_a_package(files: list[Path]) -> None:
    folders = {path.parent for path in files if path.name.startswith("test_")}
    assert [str(folder) for folder in sorted(folders) if not (ROOT / folder / "__init__.py").is_file()] == []

"""The Pi's own cameras, with a small program on the PATH in place of rpicam-vid."""

import os
import sys
from pathlib import Path

import pytest

from device.cameras.camera import CameraError, Wishes
from device.cameras.grabber import Grabber
from device.cameras.rpicam import RpicamDriver
from tests.device.cameras.fakes import jpeg, wait_until


class Program:
    """A program of that name, which does what a few lines of Python say, and tells how it was started."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for number in (1, 2, 3):
            (folder / f"{number}.jpg").write_bytes(jpeg(number))

    def does(self, lines: str, name: str = "rpicam-vid") -> None:
        path = self.folder / name
        start = f"import os, signal, sys, time\nos.chdir({str(self.folder)!r})\nout = sys.stdout.buffer\n"
        start += "open('pid', 'w').write(str(os.getpid()))\nopen('words', 'w').write(' '.join(sys.argv[1:]))\n"
        start += "def show(number):\n    out.write(open(f'{number}.jpg', 'rb').read())\n    out.flush()\n"
        path.write_text(f"#!{sys.executable} -S\n{start}{lines}\n")
        path.chmod(0o755)

    def is_over(self) -> bool:
        """Tell whether the last one that was started has ended and was reaped."""
        return not Path("/proc", (self.folder / "pid").read_text()).exists()


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Program:
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    return Program(tmp_path)


def opened(wishes: Wishes | None = None) -> RpicamDriver:
    driver = RpicamDriver(1, wishes or Wishes())
    driver.open()
    return driver


def test_its_pictures_come_one_by_one_and_its_text_is_passed_over(program: Program) -> None:
    program.does(
        "out.write(b'Running without preview window\\n')\nfor number in (1, 2, 3): show(number)\ntime.sleep(60)"
    )
    driver = opened(Wishes(size=(1280, 720), rate=10))
    assert [driver.read() for _ in range(3)] == [jpeg(1), jpeg(2), jpeg(3)]
    assert (program.folder / "words").read_text() == (
        "--camera 1 --codec mjpeg --quality 90 -o - -t 0 --nopreview --width 1280 --height 720 --framerate 10 --flush"
    )
    driver.close()
    assert program.is_over()


def test_where_it_is_not_installed_the_words_say_what_to_install(program: Program) -> None:
    assert program.folder.is_dir()
    with pytest.raises(CameraError, match=r"^rpicam:1: the program rpicam-vid is not installed here; sudo apt install"):
        opened()


def test_its_older_name_does_too(program: Program) -> None:
    program.does("show(2)\ntime.sleep(60)", "libcamera-vid")
    driver = opened()
    assert driver.read() == jpeg(2)
    driver.close()


def test_when_it_ends_its_own_last_error_is_told(program: Program) -> None:
    program.does(
        "show(1)\nprint('[0:04] INFO Camera camera_manager.cpp', file=sys.stderr)\n"
        "print('ERROR: *** no cameras available ***', file=sys.stderr)\n"
        "print('#3 (30.00 fps) exp 32876', file=sys.stderr)\nprint('Encoder closed', file=sys.stderr)\nsys.exit(255)"
    )
    driver = opened()
    assert driver.read() == jpeg(1)
    with pytest.raises(CameraError) as caught:
        driver.read()
    assert str(caught.value) == (
        "rpicam:1: rpicam-vid has ended (ERROR: *** no cameras available ***); look at the camera's flat cable, "
        "and close other programs that use it"
    )
    driver.close()
    assert program.is_over()


def test_when_it_dies_without_a_word_its_exit_code_is_told(program: Program) -> None:
    program.does("sys.exit(7)")
    driver = opened()
    with pytest.raises(CameraError, match=r"has ended \(exit code 7\)"):
        driver.read()
    driver.close()


def test_one_that_cannot_be_started_is_told_in_words(program: Program) -> None:
    path = program.folder / "rpicam-vid"
    path.write_text("#!/no/such/program\n")
    path.chmod(0o755)
    with pytest.raises(CameraError, match="cannot be started"):
        opened()


def test_much_talk_on_stderr_does_not_stop_it(program: Program) -> None:
    program.does(
        "for _ in range(5000): print('#1 (30.00 fps) exp 1 ag 1 dg 1', file=sys.stderr)\nshow(1)\ntime.sleep(60)"
    )
    driver = opened()
    assert driver.read() == jpeg(1)
    driver.close()


def test_one_that_hangs_is_broken_off_and_reaped(program: Program) -> None:
    program.does("signal.signal(signal.SIGTERM, signal.SIG_IGN)\nshow(1)\ntime.sleep(600)")
    driver = opened()
    assert driver.read() == jpeg(1)
    driver.interrupt()
    with pytest.raises(CameraError):
        driver.read()
    driver.close()
    assert program.is_over()
    driver.interrupt()


def test_one_that_does_not_end_when_asked_is_killed(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("device.cameras.rpicam.ENDING", 0.05)
    program.does("signal.signal(signal.SIGTERM, signal.SIG_IGN)\nshow(1)\ntime.sleep(600)")
    driver = opened()
    driver.read()
    driver.close()
    assert program.is_over()


def test_a_camera_whose_program_dies_is_back_by_itself_and_closing_leaves_nothing(program: Program) -> None:
    program.does("show(1)\nprint('ERROR: *** oops ***', file=sys.stderr)\nsys.exit(1)")
    camera = Grabber("tray", "rpicam:1", lambda: RpicamDriver(1, Wishes()))
    wait_until(lambda: camera.report().state == "gone" and "oops" in camera.report().words)
    program.does("show(2)\ntime.sleep(600)")
    wait_until(lambda: camera.report().state == "live" and (program.folder / "words").exists())
    assert camera.latest() is not None
    camera.close()
    assert program.is_over()
    assert camera.report().state == "ended"


def test_no_file_is_left_open(program: Program) -> None:
    program.does("show(1)\ntime.sleep(600)")
    before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - a list of numbers
    for _ in range(3):
        driver = opened()
        driver.read()
        driver.close()
    assert len(os.listdir("/proc/self/fd")) == before  # noqa: PTH208 - a list of numbers

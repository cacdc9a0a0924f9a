"""Cameras on the network, with a small server on this machine."""

import base64
import http.server
import logging
import threading
from collections.abc import Callable, Iterator

import pytest

from device.cameras.camera import CameraError, Wishes
from device.cameras.grabber import Grabber
from device.cameras.mjpeg import HttpDriver, shown
from device.cameras.naming import camera_named
from tests.device.cameras.fakes import LONG, Clock, jpeg, wait_until

HIDDEN = "tOpSecret"


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers as the test says; `server` is a `Server`."""

    server: "Server"

    def do_GET(self) -> None:
        self.server.asked.append((self.path, self.headers.get("Authorization")))
        self.server.answer(self)

    def log_message(self, *_: object) -> None:
        """Say nothing on stderr."""

    def head(self, status: int, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()


class Server(http.server.ThreadingHTTPServer):
    """A camera on the network; `held` lets a stream that hangs go on."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[tuple[str, str | None]] = []
        self.held = threading.Event()
        self.answer: Callable[[Handler], None] = stream(1, 2, 3)

    def url(self, path: str = "/stream", secret: str = "") -> str:
        return f"http://{secret}127.0.0.1:{self.server_port}{path}"


def stream(*numbers: int, hangs: bool = True) -> Callable[[Handler], None]:
    """A multipart stream of these pictures."""

    def answer(handler: Handler) -> None:
        handler.head(200, Content_Type="multipart/x-mixed-replace; boundary=frame")
        for number in numbers:
            picture = jpeg(number)
            start = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(picture)}\r\n\r\n"
            handler.wfile.write(start.encode() + picture + b"\r\n")
        if hangs:
            handler.server.held.wait(LONG)

    return answer


def status(code: int, **headers: str) -> Callable[[Handler], None]:
    return lambda handler: handler.head(code, **headers)


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server
        server.held.set()
        server.shutdown()


def opened(url: str) -> HttpDriver:
    driver = HttpDriver(url, Wishes())
    driver.open()
    return driver


def refusal(url: str) -> str:
    with pytest.raises(CameraError) as caught:
        opened(url)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_the_pictures_of_a_stream_come_one_by_one(server: Server) -> None:
    driver = opened(server.url("/stream?size=big"))
    assert [driver.read() for _ in range(3)] == [jpeg(1), jpeg(2), jpeg(3)]
    assert server.asked == [("/stream?size=big", None)]
    driver.close()


def test_a_stream_that_ends_is_told_in_words(server: Server) -> None:
    server.answer = stream(1, hangs=False)
    driver = opened(server.url())
    driver.read()
    with pytest.raises(CameraError, match="has ended its stream; look whether the camera is still on"):
        driver.read()
    driver.close()


def test_an_address_of_single_pictures_is_asked_again_for_each_and_not_too_often(server: Server) -> None:
    numbers = iter(range(1, 9))

    def answer(handler: Handler) -> None:
        handler.head(200, Content_Type="image/jpeg")
        handler.wfile.write(jpeg(next(numbers)))

    server.answer = answer
    waits: list[float] = []
    driver = HttpDriver(server.url("/shot.jpg"), Wishes(rate=15), Clock(), waits.append)
    driver.open()
    assert [driver.read() for _ in range(3)] == [jpeg(1), jpeg(2), jpeg(3)]
    assert waits == pytest.approx([0.2, 0.2])
    assert len(server.asked) == 3
    driver.close()


def test_a_name_and_a_password_are_sent_to_the_camera_and_shown_nowhere(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    url = server.url(f"/stream?pwd={HIDDEN}", f"ann%40home:{HIDDEN}@")
    camera = camera_named(url, "tray")
    wait_until(lambda: camera.report().state == "live")
    sent = base64.b64encode(f"ann@home:{HIDDEN}".encode()).decode()
    assert server.asked == [(f"/stream?pwd={HIDDEN}", f"Basic {sent}")]
    reports = [camera.report()]
    server.answer = status(401, WWW_Authenticate="Basic")
    server.held.set()
    wait_until(lambda: "wants a name and a password" in camera.report().words)
    reports.append(camera.report())
    camera.close()
    assert reports[0].source == server.url("/stream?...")
    for told in (str(reports), caplog.text):
        assert HIDDEN not in told
        assert "ann" not in told


@pytest.mark.parametrize(
    "url",
    [f"http://ann:{HIDDEN}@", f"http://ann:{HIDDEN}@host:port/", f"http://ann:{HIDDEN}@ho st/", f"http:ann:{HIDDEN}",
     f"https://ann:{HIDDEN}@[::1/x", f"http://ann:{HIDDEN}@host/\n"],
)  # fmt: skip
def test_an_address_that_is_none_is_refused_without_being_shown(url: str) -> None:
    with pytest.raises(CameraError, match=r"write http://HOST:PORT/PATH") as caught:
        camera_named(url, "tray")
    assert HIDDEN not in str(caught.value)
    assert "ann" not in str(caught.value)


def test_what_may_be_shown_of_an_address() -> None:
    assert shown("http://a:b@Cam.local:8080/video?pwd=1#x") == "http://cam.local:8080/video?..."
    assert shown("https://[fe80::1]/") == "https://[fe80::1]/"
    assert shown("http://cam") == "http://cam"


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (status(404), "answers 404; look up the address of its MJPEG stream"),
        (status(302, Location=f"http://other/{HIDDEN}"), "sends us on to another address; write that one instead"),
        (status(200, Content_Type="text/html; charset=utf-8"), "is a page, not pictures"),
        (status(403), "wants a name and a password"),
        (lambda handler: handler.wfile.write(b"SSH-2.0-OpenSSH\r\n\r\n"), "does not speak HTTP as it should"),
    ],
)
def test_each_wrong_answer_has_its_words(server: Server, answer: Callable[[Handler], None], words: str) -> None:
    server.answer = answer
    told = refusal(server.url(secret=f"ann:{HIDDEN}@"))
    assert words in told
    assert HIDDEN not in told


def test_a_camera_that_is_off_is_told_in_words() -> None:
    with Server() as server:
        url = server.url()
    assert "does not answer (Connection refused); look whether the camera is on and in this network" in refusal(url)
    assert "does not answer" in refusal("http://a..b/")


def test_a_silent_camera_is_not_waited_for_for_ever(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("device.cameras.mjpeg.TIMEOUT", 0.05)
    driver = opened(server.url())
    for _ in range(3):
        driver.read()
    with pytest.raises(CameraError, match="does not answer \\(nothing came for"):
        driver.read()
    driver.close()


def test_a_waiting_read_can_be_broken_off(server: Server) -> None:
    driver = opened(server.url())
    for _ in range(3):
        driver.read()
    threading.Timer(0.02, driver.interrupt).start()
    with pytest.raises(CameraError):
        driver.read()
    driver.close()
    driver.close()


def test_a_camera_that_goes_away_and_comes_back_is_back_by_itself(server: Server) -> None:
    server.answer = stream(1, hangs=False)
    camera = Grabber("tray", "http://cam/", lambda: HttpDriver(server.url(), Wishes()))
    wait_until(lambda: camera.report().state == "gone")
    server.answer = stream(2, 3)
    wait_until(lambda: camera.report().state == "live")
    camera.close()
    assert camera.report().state == "ended"

"""The server: one page, GET only, and nothing that a client sends stops it."""

from __future__ import annotations

import gzip
import http.client
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from conftest import RecordFigure

from gametheory.advisor import page, serve

HTML = page.assemble("{}")


@pytest.fixture
def server() -> Iterator[serve.Server]:
    with serve.Server(HTML, port=0) as started:
        thread = threading.Thread(target=started.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        yield started
        started.shutdown()
        thread.join(10)


def port_of(server: serve.Server) -> int:
    return int(server.server_address[1])


def ask(server: serve.Server, path: str = "/", method: str = "GET") -> tuple[http.client.HTTPResponse, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port_of(server), timeout=20)
    connection.putrequest(method, path, skip_host=True)
    connection.endheaders()
    response = connection.getresponse()
    body = response.read()
    connection.close()
    return response, body


def send(server: serve.Server, data: bytes) -> bytes:
    """Send bytes as they are; return the answer."""
    with socket.create_connection(("127.0.0.1", port_of(server)), timeout=20) as client:
        client.sendall(data)
        answer = b""
        while part := client.recv(65_536):
            answer += part
    return answer


def test_the_page_is_at_its_routes_with_a_strict_policy(server: serve.Server) -> None:
    for path in ("/", "/index.html", "/?a=b"):
        response, body = ask(server, path)
        assert response.status == 200
        assert body.decode() == HTML
        policy = response.headers["Content-Security-Policy"]
        assert policy == f"{page.security_policy(HTML)}; frame-ancestors 'none'"
        assert policy.count("'sha256-") == 2
        assert "default-src 'none'" in policy
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert "Python" not in response.headers["Server"]


@pytest.mark.parametrize(
    "path",
    [
        "/..",
        "/../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/..%2f..%2fetc%2fpasswd",
        "//etc/passwd",
        "/\\..\\..",
        "/etc/passwd",
        "/index.html/..",
        "/index.html/",
        "/page.py",
        "/web/main.js",
        "/favicon.ico",
        "/%00",
        "..",
        "http://example.org/",
        "/./",
        "/index.html%20",
    ],
)
def test_no_other_path_is_there(path: str, server: serve.Server) -> None:
    response, body = ask(server, path)
    assert response.status == 404
    assert body == b"404 Not Found\n"


@pytest.mark.parametrize(
    "method", ["HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "CONNECT", "BREW", "get", "__init__"]
)
def test_other_methods_are_refused(method: str, server: serve.Server) -> None:
    response, _ = ask(server, "/", method)
    assert response.status == 405
    assert response.headers["Allow"] == "GET"


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"GET / HTTP/1.1\r\nX: " + b"a" * 20_000 + b"\r\n\r\n", 431),
        (b"GET / HTTP/1.1\r\nX: " + b"a" * 500_000 + b"\r\n\r\n", 431),
        (b"GET / HTTP/1.1\r\n" + b"X: a\r\n" * 120 + b"\r\n", 431),
        (b"GET / HTTP/1.1\r\n" + b"".join(b"X%d: %s\r\n" % (n, b"b" * 400) for n in range(60)) + b"\r\n", 431),
        (b"GET /" + b"a" * 3_000 + b" HTTP/1.1\r\n\r\n", 414),
        (b"GET /" + b"a" * 300_000 + b" HTTP/1.1\r\n\r\n", 414),
        (b"GET / HTTP/1.1 more\r\n\r\n", 400),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400),
        (b"GET / HTTP/9.9.9\r\n\r\n", 400),
    ],
)
def test_what_is_too_much_or_no_request_is_refused_and_said(data: bytes, status: int, server: serve.Server) -> None:
    answer = send(server, data)
    assert str(status).encode() in answer.splitlines()[0], answer[:80]
    assert len(answer) < 1_000
    assert ask(server)[0].status == 200


def test_a_thousand_requests_at_once_are_answered(server: serve.Server) -> None:
    with ThreadPoolExecutor(100) as clients:
        statuses = list(clients.map(lambda _: ask(server)[0].status, range(1_000)))
    assert statuses == [200] * 1_000


def test_a_thousand_idle_connections_leave_it_answering(server: serve.Server) -> None:
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = 2_500
    if hard != resource.RLIM_INFINITY and hard < needed:
        pytest.skip(f"only {hard} files may be open here: raise the limit (ulimit -Hn) to {needed}")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, needed), hard))
    idle = []
    try:
        for number in range(1_000):
            client = socket.create_connection(("127.0.0.1", port_of(server)), timeout=20)
            if number % 2:
                client.sendall(b"GET / HTTP/1.1\r\nX: never-ending")
            idle.append(client)
        begun = time.monotonic()
        assert ask(server)[0].status == 200
        assert time.monotonic() - begun < 15
        assert threading.active_count() < serve.MOST_CONNECTIONS + 50
    finally:
        for client in idle:
            client.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert ask(server)[0].status == 200


def test_a_free_port_is_still_free_after_the_check() -> None:
    with serve.Server(HTML, port=0) as server:
        port = port_of(server)
    serve.check_address(port=port)
    serve.Server(HTML, port=port).server_close()


def test_a_taken_port_is_one_line(server: serve.Server) -> None:
    with pytest.raises(ValueError, match=r"^port \d+ on 127\.0\.0\.1 is taken: name another one with --port.*$"):
        serve.check_address(port=port_of(server))


@pytest.mark.parametrize(
    ("host", "port", "problem"),
    [
        ("127.0.0.1", 70_000, "port 70000: give a number"),
        ("no such host", 0, "there is no host"),
        ("192.0.2.1", 0, "cannot serve on"),
    ],
)
def test_a_wrong_address_is_one_line(host: str, port: int, problem: str) -> None:
    with pytest.raises(ValueError, match=problem) as found:
        serve.Server(HTML, host, port)
    assert "\n" not in str(found.value)


@pytest.mark.parametrize(
    ("host", "inside"),
    [("127.0.0.1", True), ("127.8.8.8", True), ("::1", True), ("localhost", True), ("0.0.0.0", False), ("10.0.0.1", False)],
)
def test_only_loopback_is_this_machine(host: str, inside: bool) -> None:
    assert serve.is_loopback(host) is inside


@pytest.mark.parametrize(("host", "warned"), [("127.0.0.1", False), ("0.0.0.0", True)])
def test_it_runs_until_interrupted(host: str, warned: bool) -> None:
    # Whoever runs the tests in the background may have the signal ignored, and a child would ignore it too.
    code = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        f"from gametheory.advisor import page, serve; serve.run(page.assemble('{{}}'), {host!r}, 0)"
    )
    started = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert started.stdout
        line = started.stdout.readline()
        assert line.startswith("The advisor is at http://")
        port = int(line.split(":")[2].split("/")[0])
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        connection.request("GET", "/")
        assert connection.getresponse().status == 200
        started.send_signal(2)
        _, errors = started.communicate(timeout=20)
    finally:
        started.kill()
    assert started.returncode == 0
    assert ("warning: 0.0.0.0 lets other machines in" in errors) is warned
    assert "Traceback" not in errors


@pytest.mark.parametrize(
    ("accepted", "small"),
    [
        ("gzip", True), ("br, GZIP;q=0.5", True), ("*", True), ("gzip;q=0", False), ("gzip; q=0.0", False), ("br", False),
        ("", False),
    ],
)
def test_who_takes_gzip_gets_it(accepted: str, small: bool, server: serve.Server) -> None:
    answer = send(server, f"GET / HTTP/1.0\r\nAccept-Encoding: {accepted}\r\n\r\n".encode())
    head, _, body = answer.partition(b"\r\n\r\n")
    assert (b"Content-Encoding: gzip" in head) is small
    assert b"Vary: Accept-Encoding" in head
    assert f"Content-Length: {len(body)}".encode() in head
    assert (gzip.decompress(body) if small else body).decode() == HTML
    assert (len(body) < len(HTML) / 2) is small


def test_a_crowd_is_answered(server: serve.Server, record_figure: RecordFigure) -> None:
    """Hundreds of connections that never send a thing, and requests good and bad beside them: all are answered, for good."""
    idle = [socket.create_connection(("127.0.0.1", port_of(server)), timeout=20) for _ in range(300)]
    many = b"GET / HTTP/1.0\r\n" + b"A: b\r\n" * 5_000 + b"\r\n"
    bad = [b"\r\n", b"GET\r\n\r\n", b"GET / HTTP/9\r\n\r\n", b"X" * 70_000, many]

    def request(number: int) -> bool:
        if number % 5:
            answer = send(server, b"GET / HTTP/1.0\r\n\r\n")
            return answer.startswith(b"HTTP/1.0 200") and answer.endswith(HTML[-20:].encode())
        try:
            return b"Traceback" not in send(server, bad[number // 5 % len(bad)])
        except ConnectionError:  # who sends too much is cut off
            return True

    try:
        with ThreadPoolExecutor(8) as pool:
            assert all(pool.map(request, range(600)))
    finally:
        for connection in idle:
            connection.close()
    assert ask(server)[1].decode() == HTML
    record_figure("requests to the server", 600)

"""The advisor on this machine's own address, from the standard library.

One page at fixed routes, GET only, with the policy of the page as a header. Nothing is read from the file system. A
client that sends too much is told so, and one that sends nothing is dropped when others wait.
"""

from __future__ import annotations

import errno
import gzip
import http.client
import ipaddress
import socket
import socketserver
import sys
import threading
import time
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from io import BufferedIOBase
from typing import Any

from .page import security_policy

ROUTES = ("/", "/index.html")
MOST_PATH = 2_000
MOST_HEADERS = 16_384
MOST_CONNECTIONS = 400
PATIENCE = 2.0
"""Seconds after which an open connection may be dropped to make room for another."""


class _Limited:
    """A file that refuses header lines beyond a number of bytes in all."""

    def __init__(self, file: BufferedIOBase) -> None:
        self.file, self.left = file, MOST_HEADERS

    def readline(self, size: int = -1) -> bytes:
        line = self.file.readline(self.left + 1 if size < 0 else min(size, self.left + 1))
        self.left -= len(line)
        if self.left < 0:
            raise http.client.LineTooLong("header")
        return line

    def __getattr__(self, name: str) -> Any:
        return getattr(self.file, name)


def _takes_gzip(accepted: str) -> bool:
    """Tell whether a client takes gzip: it names it, or anything, and not with weight 0."""
    for item in accepted.lower().split(","):
        name, *said = (part.strip() for part in item.split(";"))
        if name in ("gzip", "*"):
            return not any(weight.replace(" ", "").rstrip("0") in ("q=", "q=0.") for weight in said)
    return False


class _Handler(BaseHTTPRequestHandler):
    """Answers one request."""

    server: Server
    server_version = "gametheory"
    sys_version = ""
    timeout = 10
    wbufsize = -1  # unbuffered writes cost a delay for each header line

    def parse_request(self) -> bool:
        plain = self.rfile
        self.rfile = _Limited(plain)  # type: ignore[assignment]
        try:
            return super().parse_request()
        finally:
            self.rfile = plain

    def do_GET(self) -> None:
        """Send the page, or say that there is nothing else."""
        path = self.path.partition("?")[0]
        if len(self.path) > MOST_PATH:
            self.send_error(HTTPStatus.REQUEST_URI_TOO_LONG)
        elif path not in ROUTES:
            self.send_error(HTTPStatus.NOT_FOUND)
        else:
            small = _takes_gzip(self.headers.get("Accept-Encoding", ""))
            content = self.server.zipped if small else self.server.content
            self.send_response(HTTPStatus.OK)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Vary", "Accept-Encoding")
            if small:
                self.send_header("Content-Encoding", "gzip")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

    def _refuse(self) -> None:
        self.send_error(HTTPStatus.METHOD_NOT_ALLOWED)

    def __getattr__(self, name: str) -> Any:
        # The standard handler looks for do_POST and so on, whatever method was sent.
        if name.startswith("do_"):
            return self._refuse
        raise AttributeError(name)

    def end_headers(self) -> None:
        """Send what every answer carries."""
        self.send_header("Content-Security-Policy", self.server.policy)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answer with an error, one plain line, nothing of the request in it."""
        status = HTTPStatus(code)
        body = f"{status.value} {status.phrase}\n".encode()
        self.close_connection = True
        self.send_response(status)
        self.send_header("Content-Type", "text/plain; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Connection", "close")
        if status == HTTPStatus.METHOD_NOT_ALLOWED:
            self.send_header("Allow", "GET")
        self.end_headers()
        if getattr(self, "command", None) != "HEAD":
            self.wfile.write(body)

    def finish(self) -> None:
        """Read on for a moment: closing on unread data would take the answer away from the client."""
        with suppress(OSError):
            self.wfile.flush()
            self.connection.shutdown(socket.SHUT_WR)
            self.connection.settimeout(0.5)
            for _ in range(64):
                if not self.connection.recv(65_536):
                    break
        super().finish()

    def log_message(self, format: str, *args: Any) -> None:
        """Keep quiet."""


class Server(socketserver.ThreadingTCPServer):
    """The page at an address; port 0 takes any that is free."""

    allow_reuse_address = True
    daemon_threads = True
    block_on_close = False
    request_queue_size = 1_024

    def __init__(self, html: str, host: str = "127.0.0.1", port: int = 8000) -> None:
        self.content = html.encode()
        self.zipped = gzip.compress(self.content, mtime=0)
        self.policy = f"{security_policy(html)}; frame-ancestors 'none'"
        self._open: dict[socket.socket, float] = {}
        self._lock = threading.Lock()
        if not 0 <= port <= 65_535:
            raise ValueError(f"port {port}: give a number from 1 to 65535")
        try:
            self.address_family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
            super().__init__((host, port), _Handler)
        except OSError as error:
            raise ValueError(_reason(error, host, port)) from None

    @property
    def url(self) -> str:
        """The address to open."""
        host, port = self.socket.getsockname()[:2]
        return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"

    def process_request(self, request: Any, client_address: Any) -> None:
        """Take a connection in; where there are too many, drop the ones that have been open longest."""
        while True:
            now = time.monotonic()
            with self._lock:
                if len(self._open) < MOST_CONNECTIONS:
                    self._open[request] = now
                    break
                oldest, since = next(iter(self._open.items()))
                if now - since > PATIENCE:
                    del self._open[oldest]
                    _shut(oldest)
                    continue
            time.sleep(0.01)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        """Close a connection."""
        with self._lock:
            self._open.pop(request, None)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Keep quiet: a client that went away is no trouble."""


def _shut(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)


def _reason(error: OSError, host: str, port: int) -> str:
    if isinstance(error, socket.gaierror):
        return f"there is no host {host!r}: leave --host out, or name an address of this machine"
    if error.errno == errno.EADDRINUSE:
        return f"port {port} on {host} is taken: name another one with --port, or stop what runs there"
    if error.errno == errno.EACCES:
        return f"port {port} may not be used: name one above 1023 with --port"
    return f"cannot serve on {host} port {port} ({error.strerror or error}): name another --host or --port"


def check_address(host: str = "127.0.0.1", port: int = 8000) -> None:
    """Refuse an address that cannot be served on, before the page is built."""
    Server("", host, port).server_close()


def is_loopback(host: str) -> bool:
    """Tell whether only this machine can reach an address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def run(html: str, host: str = "127.0.0.1", port: int = 8000) -> None:
    """Show the page until interrupted."""
    with Server(html, host, port) as server:
        if not is_loopback(host):
            print(f"warning: {host} lets other machines in; the page has no password", file=sys.stderr, flush=True)
        print(f"The advisor is at {server.url} (Ctrl-C ends it)", flush=True)
        try:
            server.serve_forever(poll_interval=0.2)
        except KeyboardInterrupt:
            print()

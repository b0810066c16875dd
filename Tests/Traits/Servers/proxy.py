#!/usr/bin/env python3
"""Forwards requests to a server, and breaks those that a test names.

usage: proxy.py PORT UPSTREAM_PORT

PUT /__faults sets a JSON list. Each later request takes the first fault whose "method" and "range" fit it, whose
"path" is a part of its path, and whose "bare" tells whether its tag has no quotation marks. The fault is removed.
GET /__log returns the requests since then, with the number of those under way when each arrived. A fault with "succeeds"
waits for an answer of success. A request that a fault changes must not be signed. A fault has a "kind":

refuse    closes the connection before the request is forwarded
drop      forwards the request, and closes the connection without the answer
cut       sends half of the body of the answer, or states a byte that it does not send, and closes the connection
status    answers "status", and "body" if there is one, without forwarding; with "executes" it forwards first
truncate  sends half of the body, and states that length
unconditional  takes the conditions out of a write
whole     takes the range out of the request, so that the server sends the whole object
shift     asks the server for the range one byte later
claim     sends the bytes of the range, and states another range
etag      states another ETag
noetag    states no ETag
delay     waits "seconds" before the answer
"""
import http.client
import json
import socket
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

lock = threading.Lock()
faults = []
log = []
running = 0


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def answer(self, status, headers, body, length=None):
        self.send_response_only(status)
        for name, value in headers:
            if name.lower() not in ("content-length", "transfer-encoding", "connection"):
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        self.end_headers()
        if self.command == "HEAD":
            return
        try:
            self.wfile.write(body)
        except BrokenPipeError:
            # The client refuses an answer as soon as it is wrong.
            self.close_connection = True

    def close(self):
        self.wfile.flush()
        self.close_connection = True
        try:
            self.connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def fault(self):
        wanted = self.headers.get("Range", "")
        with lock:
            log.append({"method": self.command, "path": self.path, "range": wanted,
                        "match": self.headers.get("If-Match", ""), "running": running})
            for index, fault in enumerate(faults):
                if fault.get("method", self.command) != self.command:
                    continue
                if "range" in fault and fault["range"] != bool(wanted):
                    continue
                if fault.get("path", "") not in self.path:
                    continue
                match = self.headers.get("If-Match", "")
                if "bare" in fault and fault["bare"] != (match != "" and match[0] != '"'):
                    continue
                if not fault.get("stays"):
                    del faults[index]
                return fault
        return {"kind": "none"}

    def waits(self, fault, status):
        """Puts a fault back that waits for success, and tells whether it did."""
        if not fault.get("succeeds") or 200 <= status < 300:
            return False
        with lock:
            faults.insert(0, fault)
        return True

    def forward(self, body, headers):
        upstream = http.client.HTTPConnection("127.0.0.1", int(sys.argv[2]), timeout=30)
        try:
            upstream.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
            for name, value in headers:
                upstream.putheader(name, value)
            upstream.endheaders(body if body else None)
            answer = upstream.getresponse()
            length = answer.getheader("Content-Length") if self.command == "HEAD" else None
            return answer.status, answer.getheaders(), answer.read(), length
        finally:
            upstream.close()

    def serve(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path == "/__faults":
            if self.command == "PUT":
                with lock:
                    faults[:] = json.loads(body)
                    log.clear()
            return self.answer(200, [], b"")
        if self.path == "/__log":
            with lock:
                return self.answer(200, [], json.dumps(log).encode())
        global running
        fault = self.fault()
        with lock:
            running += 1
        try:
            self.serve_with(fault, body)
        finally:
            with lock:
                running -= 1

    def serve_with(self, fault, body):
        kind = fault["kind"]
        headers = list(self.headers.items())
        if kind == "refuse":
            return self.close()
        if kind == "unconditional" and self.command == "PUT":
            headers = [item for item in headers if not item[0].lower().startswith("if-")]
        if kind == "whole":
            headers = [item for item in headers if item[0].lower() != "range"]
        if kind == "shift":
            first, last = self.headers["Range"].removeprefix("bytes=").split("-")
            headers = [item for item in headers if item[0].lower() != "range"]
            headers.append(("Range", f"bytes={int(first) + 1}-{int(last) + 1}"))
        if kind == "status":
            if fault.get("executes"):
                answer = self.forward(body, headers)
                if self.waits(fault, answer[0]):
                    return self.answer(*answer)
            error = f"<Error><Code>{fault.get('code', 'SlowDown')}</Code></Error>"
            text = fault.get("body", error).encode()
            return self.answer(fault["status"], fault.get("headers", {}).items(), text)
        status, headers, content, length = self.forward(body, headers)
        if self.waits(fault, status):
            kind = "none"
        if kind == "drop":
            return self.close()
        if kind == "delay":
            time.sleep(fault["seconds"])
        if kind == "cut":
            self.answer(status, headers, content[: len(content) // 2], max(len(content), 1))
            return self.close()
        if kind == "truncate":
            content = content[: len(content) // 2]
        if kind in ("etag", "noetag"):
            headers = [item for item in headers if item[0].lower() != "etag"]
            if kind == "etag":
                headers.append(("ETag", '"11111111111111111111111111111111"'))
        if kind == "claim":
            headers = [item for item in headers if item[0].lower() != "content-range"]
            headers.append(("Content-Range", f"bytes 7-{6 + len(content)}/{10 * len(content)}"))
        self.answer(status, headers, content, length)

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = serve


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64


Server(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()

#!/usr/bin/env python3
"""Serves a folder on 127.0.0.1 as a release server does, with the faults that networks have.

    server.py FOLDER PORT_FILE

Writes the port that it got into PORT_FILE. The first part of a path may name a fault for what ends in .tar.gz:
/truncated/... closes the connection half-way through what it announced; /short/... announces and sends half;
/stalled/... sends half and then nothing for a minute.
"""

import http.server
import os
import sys
import time

FAULTS = ("truncated", "short", "stalled")


class Handler(http.server.SimpleHTTPRequestHandler):
    def do_GET(self):
        fault, _, rest = self.path.lstrip("/").partition("/")
        if fault not in FAULTS:
            return super().do_GET()
        self.path = "/" + rest
        if not rest.endswith(".tar.gz"):
            return super().do_GET()
        try:
            with open(self.translate_path(self.path), "rb") as file:
                content = file.read()
        except OSError:
            return self.send_error(404)
        half = content[: len(content) // 2]
        self.send_response(200)
        self.send_header("Content-Length", str(len(half if fault == "short" else content)))
        self.end_headers()
        self.wfile.write(half)
        self.wfile.flush()
        if fault == "stalled":
            time.sleep(60)
        self.close_connection = True

    def log_message(self, *_):
        pass


def main(folder, port_file):
    os.chdir(folder)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    with open(port_file + ".new", "w") as file:
        file.write(str(server.server_port))
    os.rename(port_file + ".new", port_file)
    server.serve_forever()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])

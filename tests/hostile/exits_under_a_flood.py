"""Exits at its first decide; a child goes on printing blank lines. Expected: crash."""

import json
import os
import sys
import time

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        if os.fork() == 0:
            end = time.monotonic() + 600
            while time.monotonic() < end:
                os.write(1, b"\n" * 60_000)
        os._exit(0)

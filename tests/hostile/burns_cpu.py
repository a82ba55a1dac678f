"""Computes for ten minutes at its first decide. Expected: timeout."""

import json
import sys
import time

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        end = time.monotonic() + 600
        while time.monotonic() < end:
            pass

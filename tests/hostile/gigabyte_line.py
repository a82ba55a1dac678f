"""Answers with a gigabyte that holds no LF. Expected: too_long."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        sys.stdout.write('{"action": "')
        for _ in range(1024):
            sys.stdout.write("x" * 1024 * 1024)
        sys.stdout.flush()

"""Writes half an answer at its first decide and exits. Expected: crash."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        sys.stdout.write('{"action": "rev')
        sys.stdout.flush()
        sys.exit(0)

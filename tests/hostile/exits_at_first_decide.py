"""Exits at its first decide, in the process that replaces it too. Expected: crash."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        sys.exit(0)

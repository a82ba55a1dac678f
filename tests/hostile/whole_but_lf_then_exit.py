"""Writes an answer without its LF and exits: that is no line. Expected: crash."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        sys.stdout.write(json.dumps({"action": message["legal"][0]}))
        sys.stdout.flush()
        sys.exit(0)

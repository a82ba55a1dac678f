"""Answers well, but with a note that makes the line longer than line_bytes. Expected: too_long."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        line_bytes = message["limits"]["line_bytes"]
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        print(
            json.dumps({"action": message["legal"][0], "note": "x" * max(line_bytes, 1_000_000)}), flush=True
        )

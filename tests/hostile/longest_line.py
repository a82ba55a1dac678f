"""Answers well in a line of exactly line_bytes bytes, LF not counted. Expected: no fault."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        line_bytes = message["limits"]["line_bytes"]
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        print(json.dumps({"action": message["legal"][0]}).ljust(line_bytes), flush=True)

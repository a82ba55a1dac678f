"""Tells on stderr and in its notes how many starts its process has seen. Expected: no fault."""

import json
import sys

starts = 0

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        print(json.dumps({"action": message["legal"][0], "note": f"starts: {starts}"}), flush=True)
    elif message["type"] == "start":
        starts += 1
        print(f"starts: {starts}", file=sys.stderr, flush=True)

"""Writes two megabytes to stderr at every message, and answers well. Expected: no fault."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    print("debug " * 350_000, file=sys.stderr, flush=True)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        print(json.dumps({"action": message["legal"][0]}), flush=True)

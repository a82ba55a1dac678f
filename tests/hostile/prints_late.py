"""Prints a line in reaction to end when the next request has come, and plays well. Expected: no fault."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "end":
        sys.stdin.readline()
        line = sys.stdin.readline()
        message = json.loads(line) if '"type":"decide"' in line else {"type": "bye"}
        if message["type"] == "decide":
            print("good game", flush=True)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        print(json.dumps({"action": message["legal"][0]}), flush=True)

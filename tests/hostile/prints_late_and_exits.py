"""Prints a line in reaction to end when the next request has come, and exits. Expected: no fault."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        print(json.dumps({"action": message["legal"][0]}), flush=True)
    elif message["type"] == "end":
        sys.stdin.readline()
        if '"type":"decide"' in sys.stdin.readline():
            print("good game", flush=True)
        break

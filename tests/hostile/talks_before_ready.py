"""Prints a banner before ready, otherwise plays well. Expected: startup."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print("My Bot 1.0, ready to play!", flush=True)
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        print(json.dumps({"action": message["legal"][0]}), flush=True)

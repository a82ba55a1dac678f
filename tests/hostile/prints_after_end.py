"""Prints a line in reaction to end and plays well: logged and replaced. Expected: no fault."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        print(json.dumps({"action": message["legal"][0]}), flush=True)
    elif message["type"] == "end":
        print("good game", flush=True)

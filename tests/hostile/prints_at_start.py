"""Prints a line in reaction to every start. Expected: unasked or bad_json."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        print(json.dumps({"action": message["legal"][0]}), flush=True)
    elif message["type"] == "start":
        print("good luck", flush=True)

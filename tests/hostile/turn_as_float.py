"""Answers well with a turn that is written as a float, such as 17.0. Expected: no fault."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        print(json.dumps({"action": message["legal"][0], "turn": float(message["turn"])}), flush=True)
